// Factor resets, and the mutations that start and complete them.
import '#sca/factors/graphql.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { enumOf, enumWithLabels } from '#graphql/enums.ts'
import { inputOf, schemaInput } from '#graphql/input-of.ts'
import { load } from '#graphql/load.ts'
import { addMutation } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'
import { customerField } from '#sca/graphql-customer.ts'
import {
  completeFactorReset,
  type FactorReset,
  FactorResetRecord,
  factorReset,
  factorResetCompletion,
  LIVENESS_TEXTS,
  mobileSchema,
  RESET_STATUSES,
  startFactorReset,
} from './reset.ts'

const { texts } = FactorResetRecord

const ResetStatusEnum = enumOf('TwoFactorResetStatus', 'State of a factor reset.', RESET_STATUSES, {
  INITIATED: 'Waits for the liveness check.',
  PENDING_REVIEW: 'A person reviews the liveness check.',
  LIVENESS_PASSED: 'Can be completed.',
  COMPLETED: 'The factor is replaced.',
  REJECTED: 'The liveness check failed.',
  EXPIRED: 'Was not completed in time.',
})

const FactorResetNode = builder.objectRef<FactorReset>('TwoFactorReset').implement({
  description: 'The replacement of a lost second factor. Errors: `FORBIDDEN` for an agent.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('TwoFactorReset', 'id') }),
    customer: t.field({
      type: CustomerNode,
      description: 'The customer.',
      resolve: ({ customerId }, _args, context) => load(context, CustomerRecord.byIds, customerId),
    }),
    lostFactor: t.expose('factor', { type: enumWithLabels(SCA_FACTORS), nullable: false, description: texts.factor }),
    resetStatus: t.expose('status', { type: ResetStatusEnum, nullable: false, description: texts.status }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: texts.expiresAt }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
  }),
})

registerRecord(FactorResetRecord, 'TwoFactorReset')

const STATUSES = [400, 403, 404, 409, 410, 423, 429] as const

addMutation('startScaFactorReset', {
  description:
    'Starts the replacement of a lost factor, at most five in 24 hours. In the sandbox the liveness check passes at once.',
  input: schemaInput(factorReset),
  statuses: STATUSES,
  resolve: async (input, { caller }) => startFactorReset(caller, input),
  success: {
    description: 'The reset is started. REST: 201.',
    fields: (t) => ({
      reset: t.expose('reset', { type: FactorResetNode, nullable: false, description: 'The new reset.' }),
      livenessAccessToken: t.exposeString('livenessAccessToken', { description: LIVENESS_TEXTS.livenessAccessToken }),
      verificationLink: t.exposeString('verificationLink', { description: LIVENESS_TEXTS.verificationLink }),
    }),
  },
})

inputOf('MobileInput', 'A phone number.', mobileSchema)

addMutation('completeScaFactorReset', {
  description:
    'Removes the factor, so that the customer can enrol another. For `SMS_OTP` it changes the phone number, which must then be verified. `ConflictError` unless the liveness check has passed.',
  input: schemaInput(factorResetCompletion, (t) => ({
    id: t.id({ required: true, description: texts.id }),
  })),
  statuses: STATUSES,
  resolve: async ({ id, ...input }, { caller }) => {
    await completeFactorReset(caller, id, input)
    return { customerId: input.customerId }
  },
  success: {
    description: 'The reset is complete. REST: 204.',
    fields: (t) => ({ customer: customerField(t) }),
  },
})
