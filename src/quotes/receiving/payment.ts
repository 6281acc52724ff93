// The incoming payment behind a payment request: created, approved by the platform, and open until it is paid.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import { inTransaction, timeOf } from '#database/unit-of-work.ts'
import type { Prisma, Transaction, UmaAnsweredLookup } from '#generated/prisma/client.ts'
import { decideIncoming } from '#settlement/incoming-decision.ts'
import { lockPayment, movePayment } from '#settlement/payment-status.ts'
import { newReference } from '#settlement/reference.ts'
import { expireDemand } from '#settlement/uma/receive.ts'
import { counterpartyColumn } from '#transactions/rate-details.ts'
import { demandText } from '#uma/demand.ts'
import { factsOf } from '#uma/facts.ts'
import { type AskedField, toWire } from '#uma/names.ts'
import type { Institution } from '#uma/own-keys.ts'
import { UmaProtocolError } from '#uma/wire.ts'
import { type Deposit, payable } from './receiver.ts'

/** How long the payer's institution waits for the platform. */
const DECIDED_WITHIN_MS = 6_500
const ASK_EVERY_MS = 100
/** How long a demand can be paid, from the platform's approval on. */
const OPEN_SECONDS = 60
/** A demand that its platform does not approve expires after this time, and so does a payment without a demand. */
const UNAPPROVED_SECONDS = 30

export interface IncomingTerms {
  readonly satoshis: bigint
  /** In the smallest unit of the deposit's currency. */
  readonly amount: bigint
  readonly deposit: Deposit
}

interface Sent {
  readonly payer: string
  readonly fields: readonly AskedField[]
  readonly facts: Readonly<Record<string, string>>
}

/** Writes the payment as CREATED, because its amount is not known yet, and the job that expires it. Returns its id. */
export const createPayment = async (
  { platformId }: Institution,
  { customerId, umaAddress }: UmaAnsweredLookup,
  { payer, fields, facts }: Sent,
): Promise<string> => {
  const id = newUuid()
  const customer = await db.customer.findUniqueOrThrow({ where: { platformId_id: { platformId, id: customerId } } })
  const receiver = await payable(platformId, customerId)
  const currency = receiver?.taken[0]?.deposit.currency ?? 'USD'
  await inTransaction(async (tx) => {
    const createdAt = await timeOf(tx)
    await tx.transaction.create({
      data: {
        platformId,
        id,
        createdAt,
        updatedAt: createdAt,
        type: 'INCOMING',
        direction: 'CREDIT',
        status: 'CREATED',
        customerId,
        platformCustomerId: customer.platformCustomerId,
        sourceType: 'UMA_ADDRESS',
        sourceUmaAddress: payer,
        destinationType: 'UMA_ADDRESS',
        destinationUmaAddress: umaAddress,
        destinationCurrency: currency,
        receivedAmount: 0n,
        receivedCurrency: currency,
        ...counterpartyColumn(facts),
        requestedReceiverCustomerInfoFields: fields.map((field) => ({ ...field })),
      },
      select: { id: true },
    })
    await addJob(tx, expireIncoming, { platformId, transactionId: id }, { inSeconds: UNAPPROVED_SECONDS })
  })
  return id
}

interface Expiry extends Record<string, string> {
  readonly platformId: string
  readonly transactionId: string
}

/** Expires a payment that is still CREATED, because the process that was to answer the request has died. */
export const expireIncoming: Task<Expiry> = {
  name: 'expireIncoming',
  run: ({ platformId: platform, transactionId: id }) =>
    inTransaction(async (tx) => {
      const platformId = platform as PlatformId
      if ((await lockPayment(tx, { platformId, id, quoteId: null })) !== 'CREATED') return
      await movePayment(tx, platformId, { id, quoteId: null }, 'EXPIRED', { reconciliationReference: newReference() })
    }),
}

/** Ends a payment that got no demand, or whose demand was not sent. */
export const failPayment = (
  { platformId }: Institution,
  id: string,
  failureReason: NonNullable<Transaction['failureReason']>,
): Promise<void> =>
  inTransaction(async (tx) => {
    const status = await lockPayment(tx, { platformId, id, quoteId: null })
    if (status === 'CREATED' || status === 'PENDING' || status === 'PROCESSING') {
      const first = status === 'CREATED' && { reconciliationReference: newReference() }
      await movePayment(tx, platformId, { id, quoteId: null }, 'FAILED', { failureReason, ...first })
    }
  })

interface OpenDemand {
  /** The id of its row. */
  readonly id: string
  readonly demandId: string
  /** The signed demand. It expires a minute from now. */
  readonly text: () => string
}

/** The payment becomes PENDING with its amounts, which asks the platform to approve it, and its demand is stored. */
export const openDemand = (
  own: Institution,
  { umaAddress: payee, providerId }: UmaAnsweredLookup,
  transactionId: string,
  { payer, satoshis, amount, deposit }: IncomingTerms & { readonly payer: string },
): Promise<OpenDemand> =>
  inTransaction(async (tx) => {
    const { platformId } = own
    const [id, demandId] = [newUuid(), randomUUID()]
    const { currency, ...destination } = deposit
    await movePayment(tx, platformId, { id: transactionId, quoteId: null }, 'PENDING', {
      destinationType: 'ACCOUNT',
      destinationUmaAddress: null,
      ...destination,
      destinationCurrency: currency,
      receivedAmount: amount,
      receivedCurrency: currency,
      sentAmount: satoshis,
      sentCurrency: 'BTC',
      reconciliationReference: newReference(),
    })
    const expiresAt = await inSeconds(tx, UNAPPROVED_SECONDS)
    const stored = { payer, payee, satoshis, currency, amount }
    await tx.umaDemand.create({
      data: { platformId, id, role: 'PAYEE', demandId, providerId, transactionId, ...stored, expiresAt },
      select: { id: true },
    })
    await addJob(tx, expireDemand, { platformId, demandId: id }, { runAt: expiresAt })
    const text = () =>
      demandText(own, {
        ...stored,
        demandId,
        payeeDomain: own.domain,
        expiresAt: new Date(Date.now() + OPEN_SECONDS * 1_000),
      })
    return { id, demandId, text }
  })

const inSeconds = async (tx: Prisma.TransactionClient, seconds: number): Promise<Date> => {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`select now() + make_interval(secs => ${seconds}) as at`
  return row?.at ?? new Date()
}

/**
 * Waits for the platform's decision, and returns the requested facts about the payee, by the names of the protocol. Throws the
 * refusal if the platform rejects the payment, does not decide in time, or lacks a mandatory fact.
 */
export const approvedPayment = async (
  own: Institution,
  transactionId: string,
  demandRowId: string,
  fields: readonly AskedField[],
): Promise<Record<string, string>> => {
  const payment = await decided(own, transactionId)
  if (payment.status === 'REJECTED')
    throw new UmaProtocolError('SENDER_NOT_ACCEPTED', 'The platform of the payee refuses the payment')
  if (payment.status !== 'PROCESSING') throw new UmaProtocolError('USER_NOT_READY', 'The payment was not approved')
  const facts = await payeeFacts(own, payment, fields)
  const { platformId } = own
  if (fields.some(({ name, mandatory }) => mandatory && facts[toWire(name)] === undefined)) {
    await failPayment(own, transactionId, 'MISSING_MANDATORY_PAYEE_DATA')
    throw new UmaProtocolError('USER_NOT_READY', 'Facts about the payee are missing')
  }
  await inTransaction(async (tx) => {
    const expiresAt = await inSeconds(tx, OPEN_SECONDS)
    const { count } = await tx.umaDemand.updateMany({
      where: { platformId, id: demandRowId, status: 'OPEN' },
      data: { expiresAt },
    })
    if (count !== 1) throw new UmaProtocolError('QUOTE_EXPIRED', 'The demand is no longer open')
    await addJob(tx, expireDemand, { platformId, demandId: demandRowId }, { runAt: expiresAt })
  })
  return facts
}

const decided = async ({ platformId, environment }: Institution, id: string): Promise<Transaction> => {
  const until = Date.now() + DECIDED_WITHIN_MS
  const where = { platformId_id: { platformId, id } }
  for (;;) {
    const payment = await db.transaction.findUniqueOrThrow({ where })
    if (payment.status !== 'PENDING') return payment
    if (Date.now() > until) break
    await wait(ASK_EVERY_MS)
  }
  const decision = { kind: 'FAILED', failureReason: 'PAYMENT_APPROVAL_TIMED_OUT' } as const
  await inTransaction((tx) => decideIncoming(tx, { platformId, environment }, id, decision))
  return db.transaction.findUniqueOrThrow({ where })
}

/** What the platform gave with its approval takes precedence over what we know. */
const payeeFacts = async ({ platformId }: Institution, payment: Transaction, fields: readonly AskedField[]) => {
  const id = payment.customerId ?? ''
  const customer = await db.customer.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const given = (payment.receiverCustomerInfo ?? {}) as Readonly<Record<string, string>>
  const known: Readonly<Record<string, string | undefined>> = { ...factsOf(customer), ...given }
  return Object.fromEntries(
    fields.flatMap(({ name }) => (known[name] === undefined ? [] : [[toWire(name), known[name]]])),
  ) as Record<string, string>
}
