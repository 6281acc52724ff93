// Second factors of a customer, and the mutations that enrol and remove them.
import '#credentials/kinds/passkey/graphql.ts'
import { publicId } from '#core/ids.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { load } from '#graphql/load.ts'
import { addMutation, payloadOf } from '#graphql/mutation.ts'
import { customerField } from '#sca/graphql-customer.ts'
import { LOCKOUT_TEXTS, recordScaEvent, SCA_EVENTS, scaEvent } from '#sca/lockout.ts'
import { type ScaStateOfCustomer, statesOfCustomers } from '#sca/state.ts'
import {
  confirmEnrolment,
  ENROLMENT_TEXTS,
  type StartedEnrolment,
  scaConfirmation,
  scaEnrolment,
  startEnrolment,
} from './enrolment.ts'
import { ENROLLED_FACTORS, FACTOR_TEXTS, SCA_FACTORS, type ScaFactor } from './factor.ts'
import { removeFactor, scaRemoval } from './removal.ts'

export const ScaFactorTypeEnum = enumOf('ScaFactorType', 'Type of a second factor.', SCA_FACTORS, {
  SMS_OTP: 'A code by SMS to the verified phone number. It needs no enrolment.',
  TOTP: 'A code from an authenticator app, or a recovery code.',
  PASSKEY: 'A WebAuthn credential.',
})

const EnrolledTypeEnum = enumOf(
  'EnrolledScaFactorType',
  'Type of a second factor that is enrolled.',
  ENROLLED_FACTORS,
  {
    TOTP: 'An authenticator app.',
    PASSKEY: 'A WebAuthn credential.',
  },
)

const STATUSES = [400, 403, 404, 409, 410, 423] as const

const ScaFactorType = builder.objectRef<ScaFactor>('ScaFactor').implement({
  description: 'An enrolled second factor.',
  fields: (t) => ({
    credentialId: t.id({
      nullable: false,
      description: FACTOR_TEXTS.credentialId,
      resolve: ({ id }) => publicId('ScaFactor', id),
    }),
    factorType: t.expose('type', { type: EnrolledTypeEnum, nullable: false, description: FACTOR_TEXTS.type }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: FACTOR_TEXTS.createdAt,
      resolve: ({ created_at: createdAt }) => createdAt.toISOString(),
    }),
  }),
})

const ScaStateType = builder.objectRef<ScaStateOfCustomer>('ScaState').implement({
  description: 'Strong Customer Authentication of a customer.',
  fields: (t) => ({
    factors: t.field({
      type: [ScaFactorType],
      nullable: { list: false, items: false },
      description: 'The enrolled factors, oldest first. At most one of each type.',
      resolve: ({ factors }) => [...factors],
    }),
    authenticatedUntil: t.expose('authenticatedUntil', {
      type: 'DateTime',
      description: "When the customer's login expires. Null without a login.",
    }),
    suspended: t.exposeBoolean('suspended', { nullable: false, description: LOCKOUT_TEXTS.suspended }),
    lockedUntil: t.expose('lockedUntil', { type: 'DateTime', description: LOCKOUT_TEXTS.lockedUntil }),
    failedAttempts: t.exposeInt('failedAttempts', { nullable: false, description: LOCKOUT_TEXTS.failedAttempts }),
  }),
})

builder.objectField(CustomerNode, 'sca', (t) =>
  t.field({
    type: ScaStateType,
    description: 'Strong Customer Authentication. Null outside SCA regions. Errors: `FORBIDDEN` for an agent.',
    extensions: costing({ rows: 3 }),
    resolve: ({ id }, _args, context) => load(context, statesOfCustomers, id),
  }),
)

const TotpEnrolment = builder.objectRef<Extract<StartedEnrolment, { secret: string }>>('TotpEnrolment').implement({
  description: 'A TOTP to confirm with its first code. REST: 201.',
  fields: (t) => ({
    secret: t.expose('secret', { type: 'Hex', nullable: false, description: ENROLMENT_TEXTS.secret }),
    secretBase32Encoded: t.exposeString('secretBase32Encoded', {
      nullable: false,
      description: ENROLMENT_TEXTS.secretBase32Encoded,
    }),
    totpUri: t.exposeString('totpUri', { nullable: false, description: ENROLMENT_TEXTS.totpUri }),
  }),
})

const PasskeyEnrolment = builder
  .objectRef<Extract<StartedEnrolment, { relyingPartyId: string }>>('PasskeyEnrolment')
  .implement({
    description: 'A passkey to create and confirm. REST: 201.',
    fields: (t) => ({
      options: t.expose('options', { type: 'JSON', nullable: false, description: ENROLMENT_TEXTS.options }),
      allowedOrigins: t.stringList({
        nullable: { list: false, items: false },
        description: ENROLMENT_TEXTS.allowedOrigins,
        resolve: ({ allowedOrigins }) => allowedOrigins,
      }),
      relyingPartyId: t.exposeString('relyingPartyId', {
        nullable: false,
        description: ENROLMENT_TEXTS.relyingPartyId,
      }),
    }),
  })

addMutation('enrollScaFactor', {
  description:
    'Issues the secret of a TOTP or the challenge of a passkey, to confirm within 15 minutes. `ConflictError` outside SCA regions (`NO_SCA_REGION`) and if the customer already has a factor of the type; a passkey needs `passkeyConfig.origins` of the platform (`PASSKEY_ORIGINS_NOT_SET`).',
  input: schemaInput(scaEnrolment),
  payload: payloadOf(
    'EnrollScaFactorPayload',
    'Result of `enrollScaFactor`.',
    [TotpEnrolment, PasskeyEnrolment],
    STATUSES,
  ),
  resolve: async (input, { caller }) => {
    const started = await startEnrolment(caller, input)
    return { __typename: 'secret' in started ? 'TotpEnrolment' : 'PasskeyEnrolment', ...started }
  },
})

addMutation('confirmScaFactor', {
  description:
    'Enrols a factor: a TOTP with `secret` and its current `code`, or a passkey with `origin` and `credential`. In the sandbox the code `123456` is right too.',
  input: schemaInput(scaConfirmation),
  statuses: STATUSES,
  usesCredential: true,
  resolve: async (input, { caller }) => ({
    ...(await confirmEnrolment(caller, input)),
    customerId: input.customerId,
  }),
  success: {
    description: 'The factor is enrolled. REST: 200.',
    fields: (t) => ({
      factor: t.expose('factor', { type: ScaFactorType, nullable: false, description: ENROLMENT_TEXTS.factor }),
      recoveryCodes: t.stringList({
        nullable: { list: true, items: false },
        description: ENROLMENT_TEXTS.recoveryCodes,
        resolve: ({ recoveryCodes }) => recoveryCodes,
      }),
      customer: customerField(t),
    }),
  },
})

addMutation('removeScaFactor', {
  description: "Removes a factor. The customer's login ends. Removing a TOTP also removes its recovery codes.",
  input: schemaInput(scaRemoval),
  statuses: STATUSES,
  resolve: async (input, { caller }) => {
    await removeFactor(caller, input)
    return { customerId: input.customerId }
  },
  success: {
    description: 'The factor is removed. REST: 204.',
    fields: (t) => ({ customer: customerField(t) }),
  },
})

const EventEnum = enumOf('ScaEventType', "What happened at the platform's own login.", SCA_EVENTS, {
  FAILED_LOGIN_ATTEMPT: 'A login failed.',
  RESET_PASSWORD_COMPLETED: 'The customer has reset the password, which clears the failure count.',
})

addMutation('recordScaEvent', {
  description:
    "Records what happened at the platform's own login. The fifth failure in a row locks the customer for 15 minutes, the sixth for 30 minutes, the seventh for an hour, the eighth for 24 hours; the ninth suspends. A password reset clears the count.",
  input: schemaInput(scaEvent),
  statuses: STATUSES,
  resolve: async (input, { caller }) => ({
    ...(await recordScaEvent(caller, input)),
    customerId: input.customerId,
  }),
  success: {
    description: 'The event is recorded. REST: 200.',
    fields: (t) => ({
      recordedType: t.expose('eventType', { type: EventEnum, nullable: false, description: 'What happened.' }),
      suspended: t.exposeBoolean('suspended', { nullable: false, description: LOCKOUT_TEXTS.suspended }),
      lockedUntil: t.expose('lockedUntil', { type: 'DateTime', description: LOCKOUT_TEXTS.lockedUntil }),
      failedAttempts: t.exposeInt('failedAttempts', { nullable: false, description: LOCKOUT_TEXTS.failedAttempts }),
      customer: customerField(t),
    }),
  },
})
