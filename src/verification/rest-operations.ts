// `/verifications` and links in the REST contract.
import { onceHeader } from '#idempotency/rest.ts'
import { TEXTILE } from '#rest/examples.ts'
import { answer, body, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { kycLinkRequest } from './kyc-link.ts'
import { kycLinkSchema, verificationPageSchema, verificationSchema } from './rest-schema.ts'
import { newVerification } from './submit.ts'
import { VERIFICATION_PARAMETERS, VerificationFilterInput } from './verification.ts'

const tags = ['Verification']

export const verificationOperations: Operations = {
  '/verifications': {
    post: {
      operationId: 'submitVerification',
      'x-graphql': ['Mutation.submitVerification'],
      summary: 'Submit a customer for verification',
      description:
        'Starts the verification, or submits the one that waits for corrections. A verification under review does not change. 400 `INVALID_INPUT` with the reason `CUSTOMER_APPROVED` or `CUSTOMER_REJECTED`.',
      tags,
      requestBody: body(newVerification.meta({ id: 'SubmitVerificationRequest', description: 'The customer.' }), {
        customerId: TEXTILE.customerId,
      }),
      responses: { 200: answer('The verification.', verificationSchema), ...failures(404, 410, 501) },
    },
    get: {
      operationId: 'listVerifications',
      'x-graphql': ['Query.verifications'],
      summary: 'List verifications',
      tags,
      requestParams: { query: filterQuery(VerificationFilterInput, VERIFICATION_PARAMETERS) },
      responses: { 200: answer('A page of verifications.', verificationPageSchema), ...failures() },
    },
  },
  '/verifications/{verificationId}': {
    get: {
      operationId: 'getVerification',
      'x-graphql': ['Query.node ... on Verification'],
      summary: 'Get a verification',
      tags,
      requestParams: { path: pathId('verificationId', 'Verification') },
      responses: { 200: answer('The verification.', verificationSchema), ...failures(404) },
    },
  },
  '/customers/{customerId}/kyc-link': {
    post: {
      operationId: 'createKycLink',
      'x-graphql': ['Mutation.createKycLink'],
      summary: 'Create a KYC link',
      description: '400 `INVALID_INPUT` with the reason `CUSTOMER_APPROVED` or `CUSTOMER_REJECTED`.',
      tags,
      requestParams: { path: pathId('customerId', 'Customer'), header: onceHeader },
      requestBody: body(
        kycLinkRequest.meta({ id: 'KycLinkRequest', description: 'Options of the link.' }),
        { redirectUri: 'https://platform.example/verified' },
        false,
      ),
      responses: { 201: answer('The link.', kycLinkSchema), ...failures(404, 409, 410, 501) },
    },
  },
}
