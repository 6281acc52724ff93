// Small factories: each test builds a platform of its own and says only what matters to it.
import { randomBytes, randomUUID } from 'node:crypto'
import { db } from '#core/db.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { hashSecret } from '#platforms/api-token.ts'
import type { Credentials } from './faces.ts'

export interface Platform extends Credentials {
  readonly id: PlatformId
}

type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE'

export const createPlatform = async (permissions: Permission[] = ['VIEW', 'TRANSACT', 'MANAGE']): Promise<Platform> => {
  const id = randomUUID() as string as PlatformId
  const credentials = {
    clientId: randomBytes(16).toString('hex'),
    secret: randomBytes(18).toString('hex'),
  }
  await db.platform.create({ data: { id, name: 'Test', environment: 'SANDBOX' } })
  await createToken(id, credentials, permissions)
  return { id, ...credentials }
}

export const createToken = async (platformId: string, { clientId, secret }: Credentials, permissions: Permission[]) => {
  const secretHash = new Uint8Array(hashSecret(secret))
  await db.apiToken.create({
    data: { platformId, id: randomUUID(), name: 'Test', clientId, secretHash, permissions },
  })
}

type Given<T> = Partial<Omit<T, 'platformId'>>

export const createCustomer = (platform: Platform, given: Given<Prisma.CustomerUncheckedCreateInput> = {}) =>
  db.customer.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      platformCustomerId: randomUUID(),
      customerType: 'INDIVIDUAL',
      verificationStatus: 'APPROVED',
      ...given,
    },
  })

/** Many at once. */
export const createCustomers = (platform: Platform, given: readonly Given<Prisma.CustomerCreateManyInput>[]) =>
  db.customer.createManyAndReturn({
    data: given.map((customer) => ({
      platformId: platform.id,
      id: randomUUID(),
      platformCustomerId: randomUUID(),
      customerType: 'INDIVIDUAL',
      verificationStatus: 'APPROVED',
      ...customer,
    })),
  })

export const createInternalAccount = (
  platform: Platform,
  given: Given<Prisma.InternalAccountUncheckedCreateInput> = {},
) =>
  db.internalAccount.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      type: 'INTERNAL_FIAT',
      status: 'ACTIVE',
      currency: 'USD',
      ...given,
    },
  })

export const createExternalAccount = (
  platform: Platform,
  given: Given<Prisma.ExternalAccountUncheckedCreateInput> = {},
) =>
  db.externalAccount.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      status: 'ACTIVE',
      currency: 'USD',
      accountType: 'USD_ACCOUNT',
      accountInfo: {
        accountNumber: '123456789',
        routingNumber: '021000021',
        paymentRails: ['ACH'],
      },
      ...given,
    },
  })

export const createCard = (
  platform: Platform,
  given: Given<Prisma.CardUncheckedCreateInput> & { customerId: string; accountId: string },
) =>
  db.card.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      state: 'ACTIVE',
      brand: 'VISA',
      last4: '4242',
      ...given,
    },
  })

export const createAgent = (
  platform: Platform,
  given: Given<Prisma.AgentUncheckedCreateInput> & { customerId: string },
) =>
  db.agent.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      name: 'Agent',
      permissions: ['VIEW_TRANSACTIONS'],
      defaultExecutionMode: 'AUTO',
      limitCurrency: 'USD',
      perTransactionLimit: 100_000n,
      ...given,
    },
  })

/** Funded in real time, paid to a UMA address. */
export const createQuote = (platform: Platform, given: Given<Prisma.QuoteUncheckedCreateInput> = {}) =>
  db.quote.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      status: 'COMPLETED',
      sourceType: 'REALTIME_FUNDING',
      destinationType: 'UMA_ADDRESS',
      destinationUmaAddress: '$payee@bank.example',
      sendingCurrency: 'USD',
      receivingCurrency: 'EUR',
      totalSendingAmount: 1_000n,
      totalReceivingAmount: 920n,
      exchangeRate: '1.08695652',
      feesIncluded: 10n,
      expiresAt: new Date('2030-01-01T00:00:00Z'),
      ...given,
    },
  })

export const createScaChallenge = (
  platform: Platform,
  given: Given<Prisma.ScaChallengeUncheckedCreateInput> & { quoteId: string },
) =>
  db.scaChallenge.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      factor: 'SMS_OTP',
      availableFactors: ['SMS_OTP'],
      purpose: 'PAYOUT',
      expiresAt: new Date('2030-01-01T00:00:00Z'),
      ...given,
    },
  })

type Row = Given<Prisma.TransactionCreateManyInput>

/** Money in from a UMA address to one of the platform's own addresses, but for what is given. */
export const incoming = (given: Row = {}): Row => ({
  type: 'INCOMING',
  direction: 'CREDIT',
  status: 'COMPLETED',
  sourceType: 'UMA_ADDRESS',
  sourceUmaAddress: '$payer@bank.example',
  destinationType: 'UMA_ADDRESS',
  destinationUmaAddress: '$payee@bank.example',
  receivedAmount: 1_000n,
  receivedCurrency: 'USD',
  ...given,
})

export const outgoing = (given: Row = {}): Row => ({
  type: 'OUTGOING',
  direction: 'DEBIT',
  status: 'COMPLETED',
  sourceType: 'REALTIME_FUNDING',
  sourceCurrency: 'USD',
  destinationType: 'UMA_ADDRESS',
  destinationUmaAddress: '$payee@bank.example',
  sentAmount: 1_000n,
  sentCurrency: 'USD',
  ...given,
})

/** `sourceInternalAccountId` is the account that the card draws on. */
export const cardUse = (given: Row & { sourceInternalAccountId: string }): Row => ({
  type: 'CARD',
  direction: 'DEBIT',
  status: 'AUTHORIZED',
  merchantDescriptor: 'COFFEE BAR',
  cardCurrency: 'USD',
  authorizedAmount: 450n,
  ...given,
})

/** What a merchant gives back outside of a purchase. `destinationInternalAccountId` is the account behind the card. */
export const cardCredit = ({
  destinationInternalAccountId,
  ...given
}: Row & { destinationInternalAccountId: string }): Row => ({
  ...cardUse({ sourceInternalAccountId: '' }),
  direction: 'CREDIT',
  status: 'SETTLED',
  sourceInternalAccountId: null,
  destinationInternalAccountId,
  ...given,
})

/** Inserts the rows, with ids for those that have none, and answers them as inserted. */
export const createTransactions = async (platform: Platform, rows: readonly Row[]) => {
  const data = rows.map(
    (row) => ({ id: randomUUID(), platformId: platform.id, ...row }) as Prisma.TransactionCreateManyInput,
  )
  await db.transaction.createMany({ data })
  return data
}
