// Transfers in one currency between an internal and an external account (docs/domain/transfers.md#operations). They start `PENDING`; a job
// continues them.
import { z } from 'zod'
import { placeHold, releaseHold } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, type PlatformId, partsOfId } from '#core/ids.ts'
import { amountOf, idOf, parse } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { addJob, type Task } from '#database/jobs.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type {
  ExternalAccount,
  InternalAccount,
  Prisma,
  Transaction as TransactionRow,
} from '#generated/prisma/client.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { requireSupported } from '#platforms/settings/currencies.ts'
import { findExternalAccount, findInternalAccount, payerOf, requireRail, requireReady } from '#settlement/parties.ts'
import { paymentRail, remittanceInformation } from '#settlement/party-input.ts'
import { requirePayer } from '#settlement/payer.ts'
import { lockPayment } from '#settlement/payment-status.ts'
import { providerOf } from '#settlement/providers.ts'
import { namedRail, railsOf } from '#settlement/rails.ts'
import { newReference } from '#settlement/reference.ts'
import { startPayment } from '#settlement/start.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { moveTransaction } from '#transactions/transition.ts'

const amount = amountOf(1n, MAX_AMOUNT).optional()
const UNIT = 'In the smallest unit of the accounts’ currency.'
const internal = z.object({ accountId: idOf('InternalAccount') }, { error: 'must be an object' })
const external = z.object({ accountId: idOf('ExternalAccount'), paymentRail }, { error: 'must be an object' })
export const transferOutRequest = z.object({
  source: internal.describe('The account that is debited.'),
  destination: external.describe('The account that is paid, of the same currency.'),
  amount: amount.describe(`${UNIT} The whole spendable balance when absent.`),
  remittanceInformation: remittanceInformation.describe(
    'Text for the receiver, at most 80 characters. It becomes the `description` of the payment.',
  ),
})
export const transferInRequest = z.object({
  source: external.omit({ paymentRail: true }).describe('The account that is debited.'),
  destination: internal.describe('The account that is paid, of the same currency.'),
  amount: amount.describe(`${UNIT} Needed.`),
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
 */
export const findTransferOut = async (caller: Caller, input: unknown): Promise<Transfer> => {
  const request = parse(transferOutRequest, input)
  const account = await findInternalAccount(caller, partsOfId(request.source.accountId).uuid)
  const outside = await findExternalAccount(caller, partsOfId(request.destination.accountId).uuid)
  if (outside.customerId !== null) requireSameOwner(account, outside)
  requireSameCurrency(account, outside)
  if (account.type === 'EMBEDDED_WALLET') {
    throw invalidInput('source.accountId', 'A wallet pays with a quote, which its owner signs')
  }
  const rail = request.destination.paymentRail
  requireRail(outside, rail)
  const amount = request.amount ?? account.balance
  if (amount === 0n || amount > account.balance) {
    throw new ApiError('INVALID_AMOUNT', 'The balance of the account is too low', { reason: 'INSUFFICIENT_BALANCE' })
  }
  await requireAmount(caller, account, amount, 'OUTGOING')
  const data = {
    ...(await commonData(caller, account, 'OUTGOING')),
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
    ...namedRail(rail),
  } as const
  return { type: 'OUTGOING', account, amount, data }
}

/** Throws the same errors. The source must be a bank account that can be debited over ACH, and the amount is required. */
export const findTransferIn = async (caller: Caller, input: unknown): Promise<Transfer> => {
  const request = parse(transferInRequest, input)
  const outside = await findExternalAccount(caller, partsOfId(request.source.accountId).uuid)
  const account = await findInternalAccount(caller, partsOfId(request.destination.accountId).uuid)
  requireSameOwner(account, outside)
  requireSameCurrency(account, outside)
  if (!railsOf(outside).includes('ACH')) throw invalidInput('source.accountId', 'The account cannot be debited')
  if (!request.amount)
    throw invalidInput('amount', 'amount is required, because the balance of an external account is unknown')
  await requireAmount(caller, account, request.amount, 'INCOMING')
  const data = {
    ...(await commonData(caller, account, 'INCOMING')),
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
  )
}

/** The platform supports such a payment in the currency of both accounts. */
const requireAmount = ({ platformId }: Caller, { currency }: InternalAccount, amount: bigint, type: Transfer['type']) =>
  requireSupported({ platformId }, [
    { currency, field: 'source.accountId', payment: { type, amount, amountField: 'amount' } },
  ])

const commonData = async (caller: Caller, { customerId }: InternalAccount, type: Transfer['type']) => {
  const { platformId } = caller
  const customer = await payerOf(caller, customerId)
  return {
    platformId,
    id: newUuid(),
    type,
    direction: 'DEBIT',
    status: 'PENDING',
    customerId,
    platformCustomerId: customer?.platformCustomerId ?? null,
    agentId: caller.scheme === 'AGENT' ? caller.agentId : null,
  } as const
}

/** Writes the transfer alone, with the time of the database. */
export const insertTransfer = async (tx: Tx, { data }: Transfer): Promise<TransactionRow> => {
  const createdAt = await timeOf(tx)
  return tx.transaction.create({ data: { ...data, createdAt, updatedAt: createdAt } })
}

/** Writes the transfer. An outgoing amount is held until it leaves. */
const createTransfer = async (caller: Caller, transfer: Transfer, record: RecordResult): Promise<Transaction> => {
  const id = await inTransaction(async (tx) => {
    const created = await insertTransfer(tx, transfer)
    await beginTransfer(tx, caller, created)
    await record(tx, created.id)
    return created.id
  })
  return selectWritten(caller, TransactionRecord, id)
}

/** Platforms need the permission TRANSACT, agents CREATE_TRANSFERS. */
export const transferOutOf = async (caller: Caller, input: unknown, record: RecordResult): Promise<Transaction> => {
  requirePayer(caller, 'CREATE_TRANSFERS')
  return createTransfer(caller, await findTransferOut(caller, input), record)
}

/** Platforms need the permission TRANSACT, agents CREATE_TRANSFERS. */
export const transferInOf = async (caller: Caller, input: unknown, record: RecordResult): Promise<Transaction> => {
  requirePayer(caller, 'CREATE_TRANSFERS')
  return createTransfer(caller, await findTransferIn(caller, input), record)
}

/** Holds an outgoing amount, and schedules the start of the transfer. */
export const beginTransfer = async (tx: Tx, { platformId }: Caller, created: TransactionRow): Promise<void> => {
  const { id, type, sourceInternalAccountId: accountId, sentAmount } = created
  if (type === 'OUTGOING' && accountId !== null && sentAmount !== null) {
    await placeHold(tx, platformId, { accountId, amount: sentAmount, transactionId: id })
  }
  await addJob(tx, startTransfer, { platformId, transactionId: id })
}

interface Start extends Record<string, string> {
  readonly platformId: string
  readonly transactionId: string
}

/** Starts a pending transfer: releases its hold and debits the source. It fails without moving money when a party is no longer active. */
export const startTransfer: Task<Start> = {
  name: 'startTransfer',
  run: ({ platformId: platform, transactionId: id }) =>
    inTransaction(async (tx) => {
      const platformId = platform as PlatformId
      const { environment } = await tx.platform.findUniqueOrThrow({ where: { id: platformId } })
      const payment = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
      const account = payment.sourceInternalAccountId ?? payment.destinationInternalAccountId
      if (account !== null) await lockAccounts(tx, { platformId }, [account])
      // The job may run twice at once.
      if ((await lockPayment(tx, payment)) !== 'PENDING') return
      for (const hold of await tx.ledgerHold.findMany({ where: { platformId, transactionId: id, releasedAt: null } })) {
        await releaseHold(tx, platformId, hold.id)
      }
      try {
        await proceedTransfer(tx, { platformId, environment }, payment)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'USER_NOT_READY')) throw error
        await moveTransaction(tx, platformId, id, 'FAILED', { failureReason: 'QUOTE_EXECUTION_FAILED' })
      }
    }),
}

/**
 * Sends a payment out, or requests it from the external account. Its hold must have been released. 403 `USER_NOT_READY` when an account or
 * the customer is no longer active; nothing has changed then.
 */
export const proceedTransfer = async (
  tx: Tx,
  caller: Pick<Caller, 'platformId' | 'environment'>,
  payment: TransactionRow,
): Promise<void> => {
  if (payment.type === 'OUTGOING') return startPayment(tx, caller, payment)
  const { platformId, environment } = caller
  await requireReady(tx, caller, payment)
  await moveTransaction(tx, platformId, payment.id, 'PROCESSING')
  await providerOf(environment)?.carry(tx, payment)
}
