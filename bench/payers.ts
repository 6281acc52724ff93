// Customers who pay, each from an account with enough money for every round.
import { postMovement } from '#accounts/ledger.ts'
import { newUuid, type PlatformId, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'

export interface Payer {
  readonly customerId: string
  /** The public id of the account that pays, and of the one outside that is paid. */
  readonly from: string
  readonly to: string
}

export const createPlatform = async (): Promise<PlatformId> => {
  const { id } = await db.platform.create({ data: { id: newUuid(), name: 'Bench', environment: 'SANDBOX' } })
  return id as PlatformId
}

export const createCustomer = async (platformId: PlatformId): Promise<string> => {
  const { id } = await db.customer.create({
    data: {
      platformId,
      id: newUuid(),
      platformCustomerId: newUuid(),
      umaAddress: `$${newUuid()}@bench.example`,
      customerType: 'INDIVIDUAL',
      verificationStatus: 'APPROVED',
    },
  })
  return id
}

export const createPayer = async (platformId: PlatformId): Promise<Payer> => {
  const own = () => ({ platformId, id: newUuid() })
  const customerId = await createCustomer(platformId)
  const account = await db.internalAccount.create({
    data: { ...own(), customerId, type: 'INTERNAL_FIAT', status: 'ACTIVE', currency: 'USD' },
  })
  const accountInfo = { accountNumber: '123456001', routingNumber: '021000021', paymentRails: ['ACH'] }
  const outside = await db.externalAccount.create({
    data: { ...own(), customerId, status: 'ACTIVE', currency: 'USD', accountType: 'USD_ACCOUNT', accountInfo },
  })
  const amount = 1_000_000_000n
  const entries = [
    { accountId: account.id, currency: 'USD', amount },
    { book: 'OUTSIDE' as const, currency: 'USD', amount: -amount },
  ]
  await inTransaction((tx) => postMovement(tx, platformId, { kind: 'OPENING', entries }))
  return { customerId, from: publicId('InternalAccount', account.id), to: publicId('ExternalAccount', outside.id) }
}
