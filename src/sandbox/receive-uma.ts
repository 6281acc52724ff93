// Receives a payment from a UMA address, as if another institution had announced it.
import { z } from 'zod'
import { requireUmaAddress } from '#core/addresses/uma.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { partsOfId } from '#core/ids.ts'
import { amountOf, currencyCode, idOf, parse, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { requireSandbox } from '#core/only-sandbox.ts'
import { unknownCustomer } from '#customers/customer.ts'
import { db } from '#database/db.ts'
import { addJob } from '#database/jobs/jobs.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { findCurrencies, requireSupported } from '#platforms/settings/currencies.ts'
import { counterpartyFieldsOf } from '#platforms/settings/customer-fields.ts'
import { announceUmaPayment } from '#settlement/arrivals/uma-payment.ts'
import { payerOf } from '#settlement/parties.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { endApproval } from '#webhooks/approval.ts'
import { SENDER_FACTS } from './sender-facts.ts'

const address = textOf(320)

export const umaReceipt = z.object({
  senderUmaAddress: address.describe(
    'UMA address of the sender, for example `$success.usd@sandbox.example`. A magic value decides the outcome.',
  ),
  receivingCurrencyCode: currencyCode.describe('The currency that the customer receives.'),
  receivingCurrencyAmount: amountOf(1n, MAX_AMOUNT).describe(
    'The amount that the customer receives, in the smallest unit of the currency.',
  ),
  receiverUmaAddress: address.nullish().describe('UMA address of the customer. Either this or `customerId`.'),
  customerId: idOf('Customer')
    .nullish()
    .describe('`Customer:<uuid>` who receives. Either this or `receiverUmaAddress`.'),
})

/** A platform without an endpoint is not asked. It decides through the API within this time. */
const DECIDED_WITHIN_SECONDS = 10 * 60

/**
 * An incoming payment that waits for the approval of the platform. Needs the permission TRANSACT. Throws 403 `FORBIDDEN` in production, 400
 * `INVALID_UMA_ADDRESS`, 404 `UMA_NOT_FOUND` or `USER_NOT_FOUND`, 403 `USER_NOT_READY`, 400 `INVALID_CURRENCY` and `AMOUNT_OUT_OF_RANGE`.
 */
export const receiveUma = async (caller: PlatformCaller, input: unknown): Promise<Transaction> => {
  requireSandbox(caller, 'TRANSACT')
  const {
    senderUmaAddress,
    receivingCurrencyCode: currency,
    receivingCurrencyAmount: amount,
    ...receiver
  } = parse(umaReceipt, input)
  requireUmaAddress(senderUmaAddress, 'senderUmaAddress')
  const found = await findReceiver(caller, receiver)
  const use = { type: 'INCOMING', amount, amountField: 'receivingCurrencyAmount' } as const
  await requireSupported(caller, [{ currency, field: 'receivingCurrencyCode', payment: use }])
  const senderInfo = await senderInfoFor(caller, currency)
  const { platformId, environment } = caller
  const id = await inTransaction(async (tx) => {
    await payerOf(caller, found.id, tx)
    const payment = await announceUmaPayment(tx, caller, {
      senderUmaAddress,
      receiver: found,
      amount,
      currency,
      senderInfo,
    })
    const waiting = { platformId, environment, transactionId: payment.id }
    await addJob(tx, endApproval, waiting, { inSeconds: DECIDED_WITHIN_SECONDS })
    return payment.id
  })
  return selectWritten(caller, TransactionRecord, id)
}

interface Receiver {
  readonly receiverUmaAddress?: string | null | undefined
  readonly customerId?: string | null | undefined
}

const findReceiver = async (
  { platformId }: PlatformCaller,
  { receiverUmaAddress: address, customerId }: Receiver,
): Promise<Customer> => {
  if ((address == null) === (customerId == null)) {
    throw invalidInput('receiverUmaAddress', 'Either receiverUmaAddress or customerId is required')
  }
  if (customerId != null) {
    const customer = await db.customer.findFirst({
      where: { platformId, id: partsOfId(customerId).uuid, isDeleted: false },
    })
    if (!customer) throw unknownCustomer()
    return customer
  }
  requireUmaAddress(address ?? '', 'receiverUmaAddress')
  const [row] = await db.$queryRaw<{ id: string }[]>`
    select id from customers where platform_id = ${platformId}::uuid and lower(uma_address) = lower(${address}) and not is_deleted`
  if (!row) throw new ApiError('UMA_NOT_FOUND', 'No customer has this UMA address')
  return db.customer.findUniqueOrThrow({ where: { platformId_id: { platformId, id: row.id } } })
}

/** The facts about the sender that the provider and the platform require. */
const senderInfoFor = async (caller: PlatformCaller, currency: string): Promise<Record<string, string>> => {
  const required = (await findCurrencies(caller)).find((each) => each.currency === currency)?.requiredCounterpartyFields
  const names = new Set([
    'FULL_NAME' as const,
    ...counterpartyFieldsOf(currency),
    ...(required ?? []).map(({ name }) => name),
  ])
  return Object.fromEntries([...names].map((name) => [name, SENDER_FACTS[name]]))
}
