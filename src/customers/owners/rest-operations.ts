// `/beneficial-owners` in the REST contract.
import { idOf } from '#core/input.ts'
import { TEXTILE } from '#rest/examples.ts'
import { answer, body, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { newOwner, OwnerFilterInput, ownerChanges } from './owner.ts'
import { ownerPageSchema, ownerSchema } from './rest-schema.ts'

const tags = ['Verification']

export const ownerOperations: Operations = {
  '/beneficial-owners': {
    post: {
      operationId: 'createBeneficialOwner',
      'x-graphql': ['Mutation.createBeneficialOwner'],
      summary: 'Add an owner of a business',
      tags,
      requestBody: body(newOwner.meta({ id: 'BeneficialOwnerRequest', description: 'The new owner.' }), {
        customerId: TEXTILE.customerId,
        roles: ['UBO', 'DIRECTOR'],
        ownershipPercentage: 51,
        personalInfo: {
          firstName: 'Nora',
          lastName: 'Lindqvist',
          birthDate: '1980-04-12',
          nationality: 'US',
          address: { line1: '12 Mill Lane', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
          idType: 'SSN',
          identifier: '123-45-6789',
        },
      }),
      responses: { 201: answer('The new owner.', ownerSchema), ...failures(404, 410) },
    },
    get: {
      operationId: 'listBeneficialOwners',
      'x-graphql': ['Query.beneficialOwners'],
      summary: 'List the owners of a business',
      tags,
      requestParams: {
        query: filterQuery(OwnerFilterInput, []).extend({
          customerId: idOf('Customer').describe('Owners of this business.'),
        }),
      },
      responses: { 200: answer('A page of owners.', ownerPageSchema), ...failures() },
    },
  },
  '/beneficial-owners/{beneficialOwnerId}': {
    get: {
      operationId: 'getBeneficialOwner',
      'x-graphql': ['Query.node ... on BeneficialOwner'],
      summary: 'Get an owner',
      tags,
      requestParams: { path: pathId('beneficialOwnerId', 'BeneficialOwner') },
      responses: { 200: answer('The owner.', ownerSchema), ...failures(404) },
    },
    patch: {
      operationId: 'updateBeneficialOwner',
      'x-graphql': ['Mutation.updateBeneficialOwner'],
      summary: 'Change an owner',
      description:
        'The person is verified again if the personal data changes. 409 `CONFLICT` with the reason `UNDER_REVIEW` while the business is under review.',
      tags,
      requestParams: { path: pathId('beneficialOwnerId', 'BeneficialOwner') },
      requestBody: body(
        ownerChanges.meta({
          id: 'BeneficialOwnerChangesRequest',
          description: 'The changes. Omitted fields are kept, and null clears a field.',
        }),
        { ownershipPercentage: 40 },
      ),
      responses: { 200: answer('The owner.', ownerSchema), ...failures(404, 409, 410) },
    },
  },
}
