import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord, internalAccountsByIds } from '#accounts/internal-account.ts'
import { publicId } from '#core/ids.ts'
import { CREDENTIAL_KINDS } from '#credentials/kinds/table.ts'
import { type Session, SessionRecord, sessionsByIds } from '#credentials/sessions/session.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { connectionType } from '#graphql/connection.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { linkedListField, listField } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { registerNode } from '#graphql/node-types.ts'
import {
  CREDENTIAL_TYPES,
  type Credential,
  CredentialRecord,
  type CredentialType,
  credentialsByIds,
} from './credential.ts'
import { credentialList, sessionList } from './list.ts'

const descriptionOf = (type: CredentialType) => [type, CREDENTIAL_KINDS[type].description] as const

export const AuthMethodTypeEnum = enumOf(
  'AuthMethodType',
  'Kind of credential.',
  CREDENTIAL_TYPES,
  Object.fromEntries(CREDENTIAL_TYPES.map(descriptionOf)) as Record<CredentialType, string>,
)

/** A credential has its bundle only in the answers to a challenge and to its registration. */
export type CredentialWithBundle = Credential & { readonly otpEncryptionTargetBundle?: string | null }

/** A record has its fields on its prototype: a spread would lose them. */
export const withBundle = (credential: Credential, otpEncryptionTargetBundle: string | null): CredentialWithBundle =>
  Object.create(credential, { otpEncryptionTargetBundle: { value: otpEncryptionTargetBundle } })

export const AuthMethodNode = builder.objectRef<CredentialWithBundle>('AuthMethod').implement({
  description: 'A credential of a wallet-backed account.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: '`AuthMethod:<uuid>`.', resolve: ({ id }) => publicId('AuthMethod', id) }),
    accountId: t.id({
      nullable: false,
      description: '`InternalAccount:<uuid>`.',
      resolve: ({ accountId }) => publicId('InternalAccount', accountId),
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'The account whose credential it is.',
      resolve: ({ accountId }, _args, context) => load(context, internalAccountsByIds, accountId),
    }),
    credentialType: t.expose('type', { type: AuthMethodTypeEnum, nullable: false, description: 'Kind of credential.' }),
    type: t.expose('type', {
      type: AuthMethodTypeEnum,
      nullable: false,
      description: 'Kind of credential.',
      deprecationReason: renamedTo('credentialType'),
    }),
    credentialId: t.expose('credentialId', {
      type: 'Base64URL',
      description: 'WebAuthn credential id. Only for `PASSKEY`.',
    }),
    nickname: t.exposeString('nickname', {
      description:
        'The OIDC `email` claim for `OAUTH`, the customer email for `EMAIL_OTP`, the customer phone for `SMS_OTP`.',
    }),
    otpEncryptionTargetBundle: t.string({
      description:
        'JSON text to be used byte for byte. Only right after a challenge or registration of an OTP credential; null otherwise.',
      resolve: ({ otpEncryptionTargetBundle }) => otpEncryptionTargetBundle,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: 'When it was registered.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was last changed or, for one-time codes, challenged.',
    }),
  }),
})

export const SessionNode = builder.objectRef<Session>('Session').implement({
  description: 'A wallet session: while it lives, its key signs the actions of the account.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: '`Session:<uuid>`.', resolve: ({ id }) => publicId('Session', id) }),
    accountId: t.id({
      nullable: false,
      description: '`InternalAccount:<uuid>`.',
      resolve: ({ accountId }) => publicId('InternalAccount', accountId),
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'The account that its key signs for.',
      resolve: ({ accountId }, _args, context) => load(context, internalAccountsByIds, accountId),
    }),
    credentialType: t.expose('type', {
      type: AuthMethodTypeEnum,
      nullable: false,
      description: 'Kind of the credential that issued it.',
    }),
    type: t.expose('type', {
      type: AuthMethodTypeEnum,
      nullable: false,
      description: 'Kind of the credential that issued it.',
      deprecationReason: renamedTo('credentialType'),
    }),
    authMethod: t.field({
      type: AuthMethodNode,
      description: 'The credential that issued it. Null once revoked.',
      resolve: ({ authMethodId }, _args, context) => load(context, credentialsByIds, authMethodId),
    }),
    nickname: t.exposeString('nickname', { description: 'Nickname of the credential that issued it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: 'When it was issued.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: 'When it was last changed.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: '15 minutes after its issue.' }),
  }),
})

registerNode({
  kinds: { AuthMethod: credentialsByIds },
  typeName: (value) => (CredentialRecord.is(value) ? 'AuthMethod' : undefined),
})
registerNode({
  kinds: { Session: sessionsByIds },
  typeName: (value) => (SessionRecord.is(value) ? 'Session' : undefined),
})

const filterFields = (t: Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]) => ({
  accountId: t.id({ description: 'Of this internal account.' }),
  customerId: t.id({ description: "Of this customer's wallets." }),
  types: t.field({ type: [AuthMethodTypeEnum], description: 'Of any of these kinds. An empty list is as none.' }),
})

const AuthMethodFilterType = builder.inputType('AuthMethodFilter', {
  description: 'All given conditions must hold.',
  fields: filterFields,
})

const SessionFilterType = builder.inputType('SessionFilter', {
  description: 'All given conditions must hold.',
  fields: filterFields,
})

const authMethods = {
  list: credentialList,
  connection: connectionType<CredentialWithBundle>('AuthMethod', AuthMethodNode, 'credentials'),
  filter: AuthMethodFilterType,
}

const sessions = {
  list: sessionList,
  connection: connectionType<Session>('Session', SessionNode, 'sessions'),
  filter: SessionFilterType,
}

const REFUSED = 'Errors: `FORBIDDEN` for an agent.'

builder.queryFields((t) => ({
  authMethods: listField(t, authMethods, `Credentials of wallets. ${REFUSED}`),
  sessions: listField(t, sessions, `Active sessions of wallets. ${REFUSED}`),
}))

builder.objectFields(InternalAccountNode, (t) => ({
  privateEnabled: t.exposeBoolean('privateEnabled', {
    description: InternalAccountRecord.texts.privateEnabled,
  }),
  authMethods: linkedListField(t, authMethods, 'InternalAccount', `Credentials of the wallet. ${REFUSED}`),
  sessions: linkedListField(t, sessions, 'InternalAccount', `Active sessions of the wallet. ${REFUSED}`),
}))
