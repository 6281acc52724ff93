import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { CREDENTIAL_KINDS } from '#credentials/kinds/table.ts'
import { type Session, SessionRecord } from '#credentials/sessions/session.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { registerRecord } from '#graphql/node-types.ts'
import {
  CREDENTIAL_TYPES,
  type Credential,
  CredentialRecord,
  type CredentialType,
  OTP_BUNDLE_TEXT,
} from './credential.ts'
import { credentialList, sessionList, WalletFilterInput } from './list.ts'

const credentialTexts = CredentialRecord.texts
const sessionTexts = SessionRecord.texts

const descriptionOf = (type: CredentialType) => [type, CREDENTIAL_KINDS[type].description] as const

export const AuthMethodTypeEnum = enumOf(
  'AuthMethodType',
  'Type of credential.',
  CREDENTIAL_TYPES,
  Object.fromEntries(CREDENTIAL_TYPES.map(descriptionOf)) as Record<CredentialType, string>,
)

/** A credential has its bundle only in the responses to a challenge and to its registration. */
export type CredentialWithBundle = Credential & { readonly otpEncryptionTargetBundle?: string | null }

/** A record has its fields on its prototype: a spread would lose them. */
export const withBundle = (credential: Credential, otpEncryptionTargetBundle: string | null): CredentialWithBundle =>
  Object.create(credential, { otpEncryptionTargetBundle: { value: otpEncryptionTargetBundle } })

export const AuthMethodNode = builder.objectRef<CredentialWithBundle>('AuthMethod').implement({
  description: 'A credential of a wallet-backed account.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: credentialTexts.id, ...idOf('AuthMethod', 'id') }),
    accountId: t.id({
      nullable: false,
      description: credentialTexts.accountId,
      ...idOf('InternalAccount', 'accountId'),
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'The account that the credential belongs to.',
      ...rowOf(InternalAccountRecord, 'accountId'),
    }),
    credentialType: t.expose('type', { type: AuthMethodTypeEnum, nullable: false, description: credentialTexts.type }),
    type: t.expose('type', {
      type: AuthMethodTypeEnum,
      nullable: false,
      description: credentialTexts.type,
      deprecationReason: renamedTo('credentialType'),
    }),
    credentialId: t.expose('credentialId', { type: 'Base64URL', description: credentialTexts.credentialId }),
    nickname: t.exposeString('nickname', { description: credentialTexts.nickname }),
    otpEncryptionTargetBundle: t.string({
      description: OTP_BUNDLE_TEXT,
      resolve: ({ otpEncryptionTargetBundle }) => otpEncryptionTargetBundle,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: credentialTexts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: credentialTexts.updatedAt }),
  }),
})

export const SessionNode = builder.objectRef<Session>('Session').implement({
  description: 'A wallet session. While it is active, its key signs operations on the wallet.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: sessionTexts.id, ...idOf('Session', 'id') }),
    accountId: t.id({ nullable: false, description: sessionTexts.accountId, ...idOf('InternalAccount', 'accountId') }),
    account: t.field({
      type: InternalAccountNode,
      description: 'The account that the session signs for.',
      ...rowOf(InternalAccountRecord, 'accountId'),
    }),
    credentialType: t.expose('type', { type: AuthMethodTypeEnum, nullable: false, description: sessionTexts.type }),
    type: t.expose('type', {
      type: AuthMethodTypeEnum,
      nullable: false,
      description: sessionTexts.type,
      deprecationReason: renamedTo('credentialType'),
    }),
    authMethod: t.field({
      type: AuthMethodNode,
      description: 'The credential that issued the session. Null once that credential is revoked.',
      ...rowOf(CredentialRecord, 'authMethodId'),
    }),
    nickname: t.exposeString('nickname', { description: sessionTexts.nickname }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: sessionTexts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: sessionTexts.updatedAt }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: sessionTexts.expiresAt }),
  }),
})

registerRecord(CredentialRecord, 'AuthMethod')
registerRecord(SessionRecord, 'Session')

const authMethods = listType('AuthMethod', AuthMethodNode, 'credentials', credentialList, WalletFilterInput)
const sessions = listType('Session', SessionNode, 'sessions', sessionList, WalletFilterInput)

builder.queryFields((t) => ({
  authMethods: listField(t, authMethods, 'Credentials of wallets.'),
  sessions: listField(t, sessions, 'Active sessions of wallets.'),
}))

builder.objectField(AuthMethodNode, 'sessions', (t) =>
  linkedListField(t, sessions, 'AuthMethod', 'Active sessions that the credential issued.'),
)

builder.objectFields(InternalAccountNode, (t) => ({
  privateEnabled: t.exposeBoolean('privateEnabled', {
    description: InternalAccountRecord.texts.privateEnabled,
  }),
  authMethods: linkedListField(t, authMethods, 'InternalAccount', 'Credentials of the wallet.'),
  sessions: linkedListField(t, sessions, 'InternalAccount', 'Active sessions of the wallet.'),
}))
