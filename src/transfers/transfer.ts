// Transfers in one currency between an internal and an external account (docs/domain/transfers.md#operations). They start `PENDING`; a job
// continues them.
import { z } from 'zod'
import type { ExternalAccount } from '#accounts/external-account.ts'
import type { InternalAccount } from '#accounts/internal-account.ts'
import { insufficientBalance } from '#accounts/ledger.ts'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { amountOf, idOf, parseChanges } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Prisma, Transaction as TransactionRow } from '#generated/prisma/client.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { requireWithinAll } from '#platforms/settings/currencies.ts'
import { requireActiveAccount, requireActiveExternalAccount, requireRail } from '#settlement/parties.ts'
import { paymentRail, remittanceInformation } from '#settlement/party-input.ts'
import { namedRail, railsOf } from '#settlement/rails.ts'
import { requireApproved } from '#settlement/ready.ts'
import { newReference } from '#settlement/reference.ts'
import { INCOMING_FIELDS, PAYMENT_FIELDS } from '#transactions/payment-fields.ts'
import type { Transaction } from '#transactions/transaction.ts'
import { writeTransfer } from './create.ts'
import { findTransferParties, type TransferParties } from './parties.ts'

const amount = amountOf(1n, MAX_AMOUNT)
const UNIT = 'In the smallest unit of the accounts’ currency.'
const internal = z.object({ accountId: idOf('InternalAccount') }, { error: 'must be an object' })
const external = z.object({ accountId: idOf('ExternalAccount'), paymentRail }, { error: 'must be an object' })
export const transferOutRequest = z.object({
  source: internal.describe('The account that is debited.'),
  destination: external.describe('The account that is paid, of the same currency.'),
  amount: amount.optional().describe(`${UNIT} If it is absent, the whole spendable balance is sent.`),
  remittanceInformation: remittanceInformation.describe(
    'Text for the receiver, at most 80 characters. It becomes the `description` of the payment.',
  ),
})
export const transferInRequest = z.object({
  source: external.omit({ paymentRail: true }).describe('The account that is debited.'),
  destination: internal.describe('The account that is paid, of the same currency.'),
  amount: amount.describe(`${UNIT} It has no default, because the balance of an external account is unknown.`),
})

/** A checked transfer that is not yet written. */
export interface Transfer {
  readonly type: 'INCOMING' | 'OUTGOING'
  readonly account: InternalAccount
  readonly amount: bigint
  readonly data: Prisma.TransactionUncheckedCreateInput
}

/**
 * Throws 400 if the input is malformed, or if the accounts differ in owner or currency, and 403 `USER_NOT_READY` if an account is not
 * active. Without an amount the transfer sends the whole spendable balance. An external account of the platform may receive from everyone.
 * For an agent, call `requireBalance` once its policy allows the transfer.
 */
export const findTransferOut = async (caller: Caller, input: unknown): Promise<Transfer> => {
  const request = parseChanges(transferOutRequest, input, PAYMENT_FIELDS)
  const [from, to] = [partsOfId(request.source.accountId), partsOfId(request.destination.accountId)]
  const { internal, external, ...facts } = await findTransferParties(caller, from.uuid, to.uuid)
  const account = requireActiveAccount(internal, 'source.accountId')
  const outside = requireActiveExternalAccount(external, 'destination.accountId')
  if (outside.customerId !== null) requireSameOwner(account, outside)
  requireSameCurrency(account, outside)
  if (account.type === 'EMBEDDED_WALLET') {
    throw invalidInput('source.accountId', 'A wallet pays with a quote, which its owner signs')
  }
  const rail = request.destination.paymentRail
  requireRail(outside, rail)
  const amount = request.amount ?? account.balance
  // An agent must not learn a balance that its policy does not let it spend.
  if (caller.scheme === 'PLATFORM') requireBalance({ type: 'OUTGOING', account, amount })
  if (amount > 0n) requireAmount(facts, account, amount, 'OUTGOING')
  const data = {
    ...commonData(caller, facts, 'OUTGOING'),
    sourceType: 'ACCOUNT',
    sourceInternalAccountId: account.id,
    sourceCurrency: account.currency,
    sourceCustomerId: account.customerId,
    destinationType: 'ACCOUNT',
    destinationExternalAccountId: outside.id,
    destinationCurrency: outside.currency,
    sentAmount: amount,
    sentCurrency: account.currency,
    receivedAmount: amount,
    receivedCurrency: outside.currency,
    fees: 0n,
    platformFees: 0n,
    description: request.remittanceInformation ?? null,
    ...namedRail(rail, facts.readAt),
  } as const
  return { type: 'OUTGOING', account, amount, data }
}

/** 400 `INVALID_AMOUNT` when the balance is too low for a transfer out, or empty. */
export const requireBalance = ({ type, account, amount }: Pick<Transfer, 'type' | 'account' | 'amount'>): void => {
  if (type === 'OUTGOING' && (amount === 0n || amount > account.balance)) throw insufficientBalance()
}

/** Throws the same errors. The source must be a bank account that can be debited over ACH. */
export const findTransferIn = async (caller: Caller, input: unknown): Promise<Transfer> => {
  const request = parseChanges(transferInRequest, input, INCOMING_FIELDS)
  const [from, to] = [partsOfId(request.source.accountId), partsOfId(request.destination.accountId)]
  const { internal, external, ...facts } = await findTransferParties(caller, to.uuid, from.uuid)
  const outside = requireActiveExternalAccount(external, 'source.accountId')
  const account = requireActiveAccount(internal, 'destination.accountId')
  requireSameOwner(account, outside)
  requireSameCurrency(account, outside)
  if (!railsOf(outside).includes('ACH')) throw invalidInput('source.accountId', 'The account cannot be debited')
  requireAmount(facts, account, request.amount, 'INCOMING')
  const data = {
    ...commonData(caller, facts, 'INCOMING'),
    sourceType: 'ACCOUNT',
    sourceExternalAccountId: outside.id,
    sourceCurrency: outside.currency,
    sourceCustomerId: outside.customerId,
    destinationType: 'ACCOUNT',
    destinationInternalAccountId: account.id,
    destinationCurrency: account.currency,
    sentAmount: request.amount,
    sentCurrency: outside.currency,
    receivedAmount: request.amount,
    receivedCurrency: account.currency,
    fees: 0n,
    reconciliationReference: newReference(),
  } as const
  return { type: 'INCOMING', account, amount: request.amount, data }
}

/** A customer's money may only move through bank accounts of the same customer. */
const requireSameOwner = (account: InternalAccount, outside: ExternalAccount) => {
  if (account.customerId === outside.customerId) return
  throw new ApiError('INVALID_INPUT', 'The external account must belong to the owner of the internal account', {
    field: 'source.accountId',
    reason: 'ACCOUNT_OWNER_MISMATCH',
  })
}

const requireSameCurrency = (account: InternalAccount, outside: ExternalAccount) => {
  if (account.currency === outside.currency) return
  throw new ApiError(
    'INVALID_CURRENCY',
    'Both accounts of a transfer must have the same currency. Create a quote to convert.',
    { field: 'destination.accountId' },
  )
}

/** The platform supports such a payment in the currency of both accounts. */
const requireAmount = (
  { currencies }: Pick<TransferParties, 'currencies'>,
  { currency }: InternalAccount,
  amount: bigint,
  type: Transfer['type'],
) =>
  requireWithinAll(currencies, [
    { currency, field: 'source.accountId', payment: { type, amount, amountField: 'amount' } },
  ])

const commonData = (
  caller: Caller,
  { customer, readAt }: Pick<TransferParties, 'customer' | 'readAt'>,
  type: Transfer['type'],
) => {
  if (customer) requireApproved(customer)
  return {
    platformId: caller.platformId,
    id: newUuid(),
    type,
    direction: 'DEBIT',
    status: 'PENDING',
    customerId: customer?.id ?? null,
    platformCustomerId: customer?.platformCustomerId ?? null,
    agentId: caller.scheme === 'AGENT' ? caller.agentId : null,
    createdAt: readAt,
    updatedAt: readAt,
  } as const
}

/** Writes the transfer alone. */
export const insertTransfer = (tx: Tx, { data }: Transfer): Promise<TransactionRow> => tx.transaction.create({ data })

type Create = (caller: PlatformCaller, input: unknown, record: RecordResult) => Promise<Transaction>

/** Needs the permission TRANSACT. Agents transfer under their policy instead. */
export const createTransferOut: Create = async (caller, input, record) => {
  requirePermission(caller, 'TRANSACT')
  return writeTransfer(caller, await findTransferOut(caller, input), record)
}

/** Needs the permission TRANSACT. */
export const createTransferIn: Create = async (caller, input, record) => {
  requirePermission(caller, 'TRANSACT')
  return writeTransfer(caller, await findTransferIn(caller, input), record)
}
