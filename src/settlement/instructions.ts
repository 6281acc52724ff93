// How a quote is funded (docs/domain/quotes.md#payment-instructions): by a push to an account of the service, or by the signature of a
// wallet's owner.
import { randomInt } from 'node:crypto'
import type { Caller } from '#core/caller.ts'
import { canonicalJson } from '#core/canonical-json.ts'
import { ApiError } from '#core/errors.ts'
import type { InternalAccount, Prisma } from '#generated/prisma/client.ts'
import { SANDBOX_ACCOUNTS } from '#settlement/sandbox/accounts.ts'
import { type DepositNetwork, depositAddress } from './deposit-address.ts'
import type { Sender } from './parties.ts'

const REFERENCE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const REFERENCE_LENGTH = 12

/** What the payer writes with the push, so that it finds its quote: the database lets no two quotes of a platform have the same. */
export const newReference = (): string =>
  Array.from({ length: REFERENCE_LENGTH }, () => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)]).join('')

interface Payment {
  readonly quoteId: string
  readonly destinationId: string
  readonly totalSendingAmount: bigint
  readonly totalReceivingAmount: bigint
  readonly expiresAt: string
}

/** None where the money is here already, and nobody's signature is needed. */
export const instructionsOf = (
  { environment }: Pick<Caller, 'environment'>,
  { account, currency, network }: Sender,
  reference: string | null,
  payment: Payment,
): Prisma.InputJsonValue[] | undefined => {
  if (account === null) {
    if (environment === 'PRODUCTION') {
      throw new ApiError('NOT_IMPLEMENTED', 'Real-time funding is not available in production yet')
    }
    return [pushTo(currency, network, reference ?? '', payment.quoteId)]
  }
  if (account.type !== 'EMBEDDED_WALLET') return undefined
  const signed = { accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET', payloadToSign: payloadOf(account, payment) } }
  return environment === 'SANDBOX' ? [signed, overSpark(account)] : [signed]
}

const pushTo = (currency: string, network: DepositNetwork | null, reference: string, quoteId: string) =>
  network === null ? toBank(currency, reference) : onChain(currency, network, reference, quoteId)

/** 400 `INVALID_CURRENCY` when no bank can bring this currency in real time. */
const toBank = (currency: string, reference: string) => {
  const accountType = `${currency}_ACCOUNT`
  const account = SANDBOX_ACCOUNTS[accountType]
  if (!account) {
    throw new ApiError('INVALID_CURRENCY', 'This currency cannot be funded in real time', { field: 'source.currency' })
  }
  return {
    accountOrWalletInfo: { accountType, ...account, reference },
    instructionsNotes: `Include the reference ${reference} with the payment.`,
    isPlatformAccount: true,
  }
}

/** The address belongs to the quote alone, so the payment needs nothing else to be found. */
const onChain = (assetType: string, network: DepositNetwork, reference: string, quoteId: string) => ({
  accountOrWalletInfo: {
    accountType: `${network}_WALLET`,
    assetType,
    address: depositAddress(network, quoteId),
    reference,
  },
  instructionsNotes: `Send ${assetType} over this network to this address. It is for this quote alone.`,
  isPlatformAccount: true,
})

/** The alternative: a push over Spark to an address of the wallet. */
const overSpark = ({ id, currency }: InternalAccount) => {
  const code = id.replaceAll('-', '')
  return {
    accountOrWalletInfo: {
      accountType: 'SPARK_WALLET',
      assetType: currency,
      address: `sparkt1p${code}`,
      invoice: `sparkt1i${code}`,
    },
  }
}

/** What the owner's device stamps; the quote is then executed with the stamp alone (docs/domain/credentials.md#activities). */
const payloadOf = ({ id: accountId }: InternalAccount, payment: Payment): string => {
  const transaction = canonicalJson({
    ...payment,
    sourceId: accountId,
    totalSendingAmount: Number(payment.totalSendingAmount),
    totalReceivingAmount: Number(payment.totalReceivingAmount),
  })
  return canonicalJson({
    organizationId: accountId,
    parameters: {
      signWith: accountId,
      type: 'TRANSACTION_TYPE_SPARK',
      unsignedTransaction: Buffer.from(transaction, 'utf8').toString('hex'),
    },
    requestId: payment.quoteId,
    timestampMs: String(Date.now()),
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  })
}
