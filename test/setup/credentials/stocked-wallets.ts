// Inserts many wallets directly, each with a credential of every type and open sessions, for tests of what comes
// afterwards.
import { createHash, randomUUID } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { createCustomers, type Platform, type Wallet } from '#test/setup/world.ts'
import { type Identity, newIdentity } from './oidc-issuer.ts'
import { ORIGIN, RP_ID, type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts'
import { newKey } from './wallet.ts'
import { newPhone } from './wallet-operations.ts'
import type { CredentialType, OpenSession } from './wallet-sessions.ts'

export interface Stocked {
  readonly id: Wallet['credentialId']
  /** A session of this credential. */
  readonly session: OpenSession
}

export interface StockedWallet extends Wallet {
  readonly email: string
  readonly phoneNumber: string
  /** Public ids of the requested types. */
  readonly credentials: Readonly<Record<CredentialType, Stocked>>
  readonly identity: Identity
  readonly authenticator: SoftwareAuthenticator
}

const HOUR_MS = 3_600_000

/** Types in the order of their credentials. Without any, wallets have no credentials. */
export const createStockedWallets = async (
  platform: Platform,
  count: number,
  types: readonly CredentialType[],
): Promise<StockedWallet[]> => {
  const platformId = platform.id
  const customers = await createCustomers(
    platform,
    Array.from({ length: count }, () => ({ email: `${randomUUID()}@mail.example`, phoneNumber: newPhone() })),
  )
  const accounts: Prisma.InternalAccountCreateManyInput[] = []
  const methods: Prisma.AuthMethodCreateManyInput[] = []
  const sessions: Prisma.WalletSessionCreateManyInput[] = []
  const wallets = customers.map(({ id: customerId, email, phoneNumber }): StockedWallet => {
    const accountId = randomUUID()
    const identity = newIdentity()
    const authenticator = softwareAuthenticator()
    const contact = { email: email ?? '', phoneNumber: phoneNumber ?? '' }
    const columns = columnsOf(contact, identity, authenticator)
    accounts.push({
      platformId,
      id: accountId,
      customerId,
      type: 'EMBEDDED_WALLET',
      status: 'ACTIVE',
      currency: 'USDB',
    })
    const stocked = types.map((type) => {
      const id = randomUUID()
      const session = { id: randomUUID(), key: newKey() }
      methods.push({ platformId, id, accountId, type, ...columns[type] })
      sessions.push({
        platformId,
        id: session.id,
        accountId,
        authMethodId: id,
        publicKey: new Uint8Array(Buffer.from(session.key.publicKey, 'hex')),
        expiresAt: new Date(Date.now() + HOUR_MS),
      })
      const open = { id: publicId('Session', session.id), key: session.key }
      return [type, { id: publicId('AuthMethod', id), session: open }] as const
    })
    const credentials = Object.fromEntries(stocked) as StockedWallet['credentials']
    return {
      platform,
      ...contact,
      customerId: publicId('Customer', customerId),
      accountId: publicId('InternalAccount', accountId),
      credentialId: credentials.EMAIL_OTP?.id ?? publicId('AuthMethod', randomUUID()),
      credentials,
      identity,
      authenticator,
    }
  })
  await db.internalAccount.createMany({ data: accounts })
  await db.authMethod.createMany({ data: methods })
  await db.walletSession.createMany({ data: sessions })
  return wallets
}

const columnsOf = (
  { email, phoneNumber }: { email: string; phoneNumber: string },
  { iss, aud, sub }: Identity,
  { credentialId, coseKey }: SoftwareAuthenticator,
) => ({
  EMAIL_OTP: { nickname: email },
  SMS_OTP: { nickname: phoneNumber },
  OAUTH: { nickname: sub, oidcIssuer: iss, oidcAudience: aud, oidcSubject: sub },
  PASSKEY: {
    nickname: 'My phone',
    credentialId,
    publicKey: new Uint8Array(coseKey),
    counter: 0n,
    transports: ['internal'],
    origin: ORIGIN,
    rpId: RP_ID,
    rpIdHash: new Uint8Array(createHash('sha256').update(RP_ID).digest()),
  },
})
