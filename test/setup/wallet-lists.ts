// What fills the lists of wallets: their credentials, sessions and delegated keys.
import { randomUUID } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import type { Item } from './connection.ts'
import { type Create, itemsAt, ofAll } from './list-items.ts'
import { createDelegatedKey } from './sca/rows.ts'
import {
  createAuthMethod,
  createCard,
  createCustomer,
  createInternalAccount,
  createWalletSession,
  type Platform,
} from './world.ts'

/** An identity, of which a wallet may have any number. */
const identity = () => ({
  type: 'OAUTH' as const,
  nickname: 'ada@mail.example',
  oidcIssuer: 'https://accounts.google.com',
  oidcAudience: 'paygraph',
  oidcSubject: randomUUID(),
})

const createAccount = async (platform: Platform) => {
  const { id: customerId } = await createCustomer(platform)
  return createInternalAccount(platform, { customerId, type: 'EMBEDDED_WALLET', currency: 'USDB' })
}

/** The first one is an email code. No list shows a revoked one. */
const credentialsAt: Create = async (platform, times) => {
  const { id: accountId } = await createAccount(platform)
  await createAuthMethod(platform, { accountId, ...identity(), revokedAt: new Date() })
  const items = await Promise.all(
    times.map(async (createdAt, index): Promise<Item> => {
      const type = index === 0 ? { nickname: 'ada@mail.example' } : identity()
      const { id } = await createAuthMethod(platform, { accountId, createdAt, ...type })
      return { id: publicId('AuthMethod', id), createdAt, isAdmitted: index > 0 }
    }),
  )
  return { parent: publicId('InternalAccount', accountId), items }
}

/** Sessions of two credentials, and one that has ended. */
const sessionsAt: Create = async (platform, times) => {
  const { id: accountId } = await createAccount(platform)
  const code = await createAuthMethod(platform, { accountId, nickname: 'ada@mail.example' })
  const oauth = await createAuthMethod(platform, { accountId, ...identity() })
  await createWalletSession(platform, { credential: code, expiresAt: new Date(Date.now() - 1000) })
  const expiresAt = new Date('2100-01-01T00:00:00Z')
  const items = await itemsAt('Session', times, (createdAt, isAdmitted) =>
    createWalletSession(platform, { credential: isAdmitted ? oauth : code, createdAt, expiresAt }),
  )
  return { parent: publicId('InternalAccount', accountId), items }
}

/** Sessions of one credential, so the filter admits all or none. One has ended, and another credential has one, too. */
const sessionsOfCredentialAt: Create = async (platform, times) => {
  const { id: accountId } = await createAccount(platform)
  const code = await createAuthMethod(platform, { accountId, nickname: 'ada@mail.example' })
  const credential = await createAuthMethod(platform, { accountId, ...identity() })
  const expiresAt = new Date('2100-01-01T00:00:00Z')
  await createWalletSession(platform, { credential: code, expiresAt })
  await createWalletSession(platform, { credential, expiresAt: new Date(Date.now() - 1000) })
  const items = await Promise.all(
    times.map(async (createdAt): Promise<Item> => {
      const { id } = await createWalletSession(platform, { credential, createdAt, expiresAt })
      return { id: publicId('Session', id), createdAt, isAdmitted: true }
    }),
  )
  return { parent: publicId('AuthMethod', credential.id), items }
}

/** Keys of one wallet and one card. Those at odd positions are revoked. */
const delegatedKeysOf =
  (parent: 'InternalAccount' | 'Card'): Create =>
  async (platform, times) => {
    const account = await createAccount(platform)
    const { id: accountId } = account
    const card = await createCard(platform, { customerId: String(account.customerId), accountId })
    const items = await itemsAt('DelegatedKey', times, async (createdAt, isAdmitted) => {
      const id = randomUUID()
      const status = isAdmitted ? 'PENDING' : 'REVOKED'
      await createDelegatedKey({
        platformId: platform.id,
        id,
        cardId: card.id,
        accountId,
        nickname: id,
        status,
        createdAt,
      })
      return { id }
    })
    return { parent: publicId(parent, parent === 'Card' ? card.id : accountId), items }
  }

export const WALLET_CONTENTS: Readonly<Record<string, Create>> = {
  'Query.authMethods': ofAll(credentialsAt),
  'Query.sessions': ofAll(sessionsAt),
  'Query.delegatedKeys': ofAll(delegatedKeysOf('InternalAccount')),
  'InternalAccount.authMethods': credentialsAt,
  'InternalAccount.sessions': sessionsAt,
  'AuthMethod.sessions': sessionsOfCredentialAt,
  'InternalAccount.delegatedKeys': delegatedKeysOf('InternalAccount'),
  'Card.delegatedKeys': delegatedKeysOf('Card'),
}
