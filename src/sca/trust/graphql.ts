// Trust in external accounts, and the mutations that change it.
import '#sca/factors/graphql.ts'
import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { ExternalAccountNode } from '#accounts/graphql.ts'
import { partsOfId } from '#core/ids.ts'
import { builder, type Context, type FieldBuilder } from '#graphql/builder.ts'
import { type InputFieldBuilder, schemaInput } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { load } from '#graphql/load.ts'
import { addMutation, type Success } from '#graphql/mutation.ts'
import type { ScaChallenge } from '#sca/challenge/challenge.ts'
import { ScaChallengeNode } from '#sca/challenge/graphql.ts'
import {
  confirmTrustChange,
  startTrustChange,
  TRUST_TEXTS,
  type Trust,
  type TrustChange,
  trustConfirmation,
  trustRequest,
  trustsOf,
} from './trust.ts'

builder.objectField(ExternalAccountNode, 'trusted', (t) =>
  t.field({
    type: 'Boolean',
    description: TRUST_TEXTS.trusted,
    extensions: costing({ rows: 1 }),
    resolve: ({ id }, _args, context) => load(context, trustsOf, id),
  }),
)

const STATUSES = [400, 403, 404, 409, 410, 423, 429] as const

interface OfAccount {
  readonly accountId: string
}

const accountField = <Parent extends OfAccount>(t: FieldBuilder<Parent>) =>
  t.field({
    type: ExternalAccountNode,
    description: 'The account.',
    resolve: ({ accountId }: Parent, _args: object, context: Context) =>
      load(context, ExternalAccountRecord.byIds, partsOfId(accountId).uuid),
  })

const started: Success<OfAccount & { readonly scaChallenge: ScaChallenge | null }> = {
  description: 'The change was requested, or is not needed. REST: 200.',
  fields: (t) => ({
    scaChallenge: t.expose('scaChallenge', { type: ScaChallengeNode, description: TRUST_TEXTS.scaChallenge }),
    account: accountField(t),
  }),
}

const confirmed: Success<Trust> = {
  description: 'The change is made. REST: 200.',
  fields: (t) => ({
    trusted: t.exposeBoolean('trusted', { nullable: false, description: TRUST_TEXTS.trusted }),
    account: accountField(t),
  }),
}

const ofAccount = (t: InputFieldBuilder) => ({
  id: t.id({ required: true, description: '`ExternalAccount:<uuid>`.' }),
})

const addPair = (change: TrustChange, start: string, confirm: string, effect: string) => {
  addMutation(start, {
    description: `Asks a customer in an SCA region to ${effect} an external account, with a challenge to pass. \`ConflictError\` outside SCA regions.`,
    input: schemaInput(trustRequest, ofAccount),
    statuses: STATUSES,
    resolve: async ({ id, ...input }, { caller }) => ({
      scaChallenge: await startTrustChange(caller, id, change, input),
      accountId: id,
    }),
    success: started,
  })
  addMutation(confirm, {
    description: `Passes the challenge of \`${start}\`. \`BadRequestError\` for a wrong proof; \`RateLimitError\` after five.`,
    input: schemaInput(trustConfirmation, ofAccount),
    statuses: STATUSES,
    usesCredential: true,
    resolve: async ({ id, ...input }, { caller }) => confirmTrustChange(caller, id, change, input),
    success: confirmed,
  })
}

addPair('TRUST', 'trustExternalAccount', 'confirmExternalAccountTrust', 'trust')
addPair('UNTRUST', 'untrustExternalAccount', 'confirmExternalAccountUntrust', 'stop trusting')
