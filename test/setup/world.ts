// Small factories: each test creates a platform and states only what it needs.
import { randomBytes, randomUUID } from 'node:crypto'
import { placeHold, postMovement } from '#accounts/ledger.ts'
import { type PlatformId, publicId } from '#core/ids.ts'
import { forgetCallers } from '#core/known-callers.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
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
  // A trigger does this too, unless the tables are distributed.
  await db.$executeRaw`insert into event_streams (platform_id) values (${id}::uuid) on conflict do nothing`
  await createToken(id, credentials, permissions)
  return { id, ...credentials }
}

/** Changes settings of a platform that may have sent a request already. */
export const changePlatform = async ({ id }: Pick<Platform, 'id'>, data: Prisma.PlatformUpdateInput) => {
  await db.platform.update({ where: { id }, data })
  forgetCallers()
}

export const createToken = async (platformId: string, { clientId, secret }: Credentials, permissions: Permission[]) => {
  const secretHash = new Uint8Array(hashSecret(secret))
  await db.apiToken.create({
    data: { platformId, id: randomUUID(), name: 'Test', clientId, secretHash, permissions },
  })
}

type Given<T> = Partial<Omit<T, 'platformId'>>

const newUmaAddress = () => `$${randomBytes(8).toString('hex')}@customers.example`

export const createCustomer = (platform: Platform, given: Given<Prisma.CustomerUncheckedCreateInput> = {}) =>
  db.customer.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      platformCustomerId: randomUUID(),
      umaAddress: newUmaAddress(),
      customerType: 'INDIVIDUAL',
      verificationStatus: 'APPROVED',
      ...given,
    },
  })

/** Creates many at once. */
export const createCustomers = (platform: Platform, given: readonly Given<Prisma.CustomerCreateManyInput>[]) =>
  db.customer.createManyAndReturn({
    data: given.map((customer) => ({
      platformId: platform.id,
      id: randomUUID(),
      platformCustomerId: randomUUID(),
      umaAddress: newUmaAddress(),
      customerType: 'INDIVIDUAL',
      verificationStatus: 'APPROVED',
      ...customer,
    })),
  })

/** Creates accounts with these balances. The ledger moves the money in, and holds what is not available. */
export const createInternalAccount = async (
  platform: Platform,
  {
    balance = 0n,
    totalBalance = balance,
    ...given
  }: Omit<Given<Prisma.InternalAccountUncheckedCreateInput>, 'balance' | 'totalBalance'> & {
    balance?: bigint
    totalBalance?: bigint
  } = {},
) => {
  const account = await db.internalAccount.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      type: 'INTERNAL_FIAT',
      status: 'ACTIVE',
      currency: 'USD',
      ...given,
    },
  })
  if (totalBalance > 0n)
    await inTransaction(async (tx) => {
      const { id: accountId, currency } = account
      const entries = [
        { accountId, currency, amount: totalBalance },
        { book: 'OUTSIDE' as const, currency, amount: -totalBalance },
      ]
      await postMovement(tx, platform.id, { kind: 'OPENING', entries })
      if (totalBalance > balance) await placeHold(tx, platform.id, { accountId, amount: totalBalance - balance })
    })
  return { ...account, balance, totalBalance }
}

/** An import that waits, or has ended in this status, with an error in its first row. Returns the bare uuid. */
export const createBulkJob = async (
  platform: Platform,
  { id = randomUUID() as string, correlationId = 'row', status = 'COMPLETED', createdAt = new Date() } = {},
): Promise<string> => {
  const uploadId = randomUUID()
  await db.$executeRaw`
    insert into uploads (platform_id, id, state, sealed_key, size, sha256, media_type, expires_at)
    values (${platform.id}::uuid, ${uploadId}::uuid, 'KEPT', '\\x00', 1, sha256('\\x00'), 'text/csv', now())`
  await db.$executeRaw`
    insert into bulk_jobs (platform_id, id, status, upload_id, total, processed, failed, created_at)
    values (${platform.id}::uuid, ${id}::uuid, 'PROCESSING', ${uploadId}::uuid, 1, 1, 1, ${createdAt})`
  await db.$executeRaw`
    insert into bulk_job_errors (platform_id, job_id, number, correlation_id, code, message, details)
    values (${platform.id}::uuid, ${id}::uuid, 1, ${correlationId}, 'CONFLICT', 'Taken', '{}')`
  await db.$executeRaw`
    update bulk_jobs set status = ${status}::bulk_job_status, completed_at = now(), upload_id = null
    where platform_id = ${platform.id}::uuid and id = ${id}::uuid`
  return id
}

/** A customer's wallet, with the EMAIL_OTP credential that it has from the start if the customer has an email address. */
export const createWallet = async (
  platform: Platform,
  { customerId, ...contact }: { customerId?: string; email?: string | null; phoneNumber?: string | null } = {},
) => {
  const { email = `${randomBytes(6).toString('hex')}@mail.example`, phoneNumber = null } = contact
  const customer = customerId ?? (await createCustomer(platform, { email, phoneNumber })).id
  const account = await createInternalAccount(platform, {
    customerId: customer,
    type: 'EMBEDDED_WALLET',
    currency: 'USDB',
  })
  const credential =
    email === null ? null : await createAuthMethod(platform, { accountId: account.id, nickname: email })
  return {
    platform,
    email,
    phoneNumber,
    customerId: publicId('Customer', customer),
    accountId: publicId('InternalAccount', account.id),
    credentialId: publicId('AuthMethod', credential?.id ?? randomUUID()),
  }
}
export type Wallet = Awaited<ReturnType<typeof createWallet>>

/** An EMAIL_OTP credential, unless another type is given with its fields. */
export const createAuthMethod = (
  platform: Platform,
  given: Given<Prisma.AuthMethodUncheckedCreateInput> & { accountId: string; nickname: string },
) => db.authMethod.create({ data: { platformId: platform.id, id: randomUUID(), type: 'EMAIL_OTP', ...given } })

/** A session whose key no one has. */
export const createWalletSession = (
  platform: Platform,
  {
    credential,
    ...given
  }: { credential: { id: string; accountId: string }; expiresAt: Date; id?: string; createdAt?: Date },
) =>
  db.walletSession.create({
    data: {
      platformId: platform.id,
      id: randomUUID(),
      accountId: credential.accountId,
      authMethodId: credential.id,
      publicKey: new Uint8Array([2, ...randomBytes(32)]),
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

/** A quote funded in real time and paid to a UMA address. */
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

/** A platform with examples of everything that a transaction refers to, by public id. The first owner is the platform itself. */
export const createCast = async () => {
  const platform = await createPlatform()
  const customers = await createCustomers(platform, [
    { platformCustomerId: 'user-1' },
    { platformCustomerId: 'USER-1' },
    // A platformCustomerId can be reused once its customer is deleted.
    { platformCustomerId: 'again', isDeleted: true },
    { platformCustomerId: 'again' },
  ])
  const many = <T>(count: number, create: () => Promise<T>) => Promise.all(Array.from({ length: count }, create))
  const internal = await many(3, () => createInternalAccount(platform))
  const external = await many(2, () => createExternalAccount(platform))
  const agents = await many(2, () => createAgent(platform, { customerId: customers[0]?.id ?? '' }))
  const ofCustomer = { customerId: customers[0]?.id ?? '', accountId: internal[0]?.id ?? '' }
  const cards = await many(2, () => createCard(platform, ofCustomer))
  const self = publicId('PlatformConfig', platform.id)
  return {
    platform,
    owners: [
      { customerId: self, platformCustomerId: self },
      ...customers.map(({ id, platformCustomerId }) => ({ customerId: publicId('Customer', id), platformCustomerId })),
    ],
    internal: internal.map(({ id }) => publicId('InternalAccount', id)),
    external: external.map(({ id }) => publicId('ExternalAccount', id)),
    agents: agents.map(({ id }) => publicId('Agent', id)),
    cards: cards.map(({ id }) => publicId('Card', id)),
  }
}
export type Cast = Awaited<ReturnType<typeof createCast>>

type Row = Given<Prisma.TransactionCreateManyInput>

/** A payment from a UMA address to one of the platform's, with these fields replaced. */
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

/** The source of a payment: an account as `<Kind>:<uuid>`, or a UMA address. */
export const paidFrom = (party: string): Row => {
  const [kind, id = null] = party.split(':')
  if (party.startsWith('$')) return { sourceType: 'UMA_ADDRESS', sourceUmaAddress: party }
  const account = kind === 'InternalAccount' ? { sourceInternalAccountId: id } : { sourceExternalAccountId: id }
  return { sourceType: 'ACCOUNT', sourceUmaAddress: null, ...account }
}

/** The destination, in the same form. */
export const paidTo = (party: string): Row => {
  const [kind, id = null] = party.split(':')
  if (party.startsWith('$')) return { destinationType: 'UMA_ADDRESS', destinationUmaAddress: party }
  const account =
    kind === 'InternalAccount' ? { destinationInternalAccountId: id } : { destinationExternalAccountId: id }
  return { destinationType: 'ACCOUNT', destinationUmaAddress: null, ...account }
}

/** `sourceInternalAccountId` is the account of the card. */
export const cardUse = (given: Row & { sourceInternalAccountId: string }): Row => ({
  type: 'CARD',
  direction: 'DEBIT',
  status: 'AUTHORIZED',
  merchantDescriptor: 'COFFEE BAR',
  cardCurrency: 'USD',
  authorizedAmount: 450n,
  ...given,
})

/** A merchant's refund that belongs to no purchase. `destinationInternalAccountId` is the account of the card. */
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

/** Inserts the rows, adding missing ids, and returns them as inserted. */
export const createTransactions = async (platform: Platform, rows: readonly Row[]) => {
  const data = rows.map(
    (row) => ({ id: randomUUID(), platformId: platform.id, ...row }) as Prisma.TransactionCreateManyInput,
  )
  await db.transaction.createMany({ data })
  return data
}

/** Transfers to the external account that wait for approval, with these fields replaced. */
export const createAgentActions = async (
  platform: Platform,
  rows: readonly (Given<Prisma.AgentActionCreateManyInput> & { agentId: string; customerId: string })[],
) => {
  const data = rows.map((row) => ({
    platformId: platform.id,
    id: randomUUID(),
    type: 'TRANSFER_OUT' as const,
    status: 'PENDING_APPROVAL' as const,
    amount: 500n,
    currency: 'USD',
    ...((row.status ?? 'PENDING_APPROVAL') === 'PENDING_APPROVAL' && {
      approvalExpiresAt: new Date('2099-01-01T00:00:00Z'),
    }),
    ...(row.status === 'FAILED' && { failureCode: 'AGENT_POLICY', failureMessage: 'Not allowed' }),
    ...row,
  }))
  await db.agentAction.createMany({ data })
  return data
}
