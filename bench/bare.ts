// Writes what a transfer, a quote and its execution write, each by one handwritten transaction, in its own process. Prepares the payers of
// the rounds too.

import { API_PERMISSIONS } from '#core/caller.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { pool } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { insertToken } from '#platforms/tokens/token.ts'
import { createPayer, createPlatform, type Payer } from './payers.ts'

export interface Paying {
  readonly authorization: string
  readonly platformId: string
  readonly payers: readonly Payer[]
}

const PAYERS = Number(process.env['PAYERS'] ?? 16)

const platformId = await createPlatform()
const payers = await Promise.all(Array.from({ length: PAYERS }, () => createPayer(platformId)))
const { clientId, secret } = await inTransaction((tx) =>
  insertToken(tx, platformId, { name: 'Bench', permissions: API_PERMISSIONS }),
)
const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

const TRANSACTION = `
  insert into transactions (platform_id, id, type, direction, status, customer_id, platform_customer_id, source_type, source_internal_account_id,
    source_currency, source_customer_id, destination_type, destination_external_account_id, destination_currency, sent_amount, sent_currency,
    received_amount, received_currency, fees, platform_fees)
  select $1, $2, 'OUTGOING', 'DEBIT', 'PENDING', id, platform_customer_id, 'ACCOUNT', $3, 'USD', id, 'ACCOUNT', $4, 'USD', 100, 'USD', 100, 'USD', 0, 0
  from customers where platform_id = $1 and id = $5`
const HOLD =
  'insert into ledger_holds (platform_id, id, account_id, amount, transaction_id) values ($1, gen_random_uuid(), $2, 100, $3)'
const JOB = `select add_job('startTransfer', $1::json)`

const QUOTE = `
  insert into quotes (platform_id, id, customer_id, status, source_type, source_internal_account_id, destination_type,
    destination_external_account_id, sending_currency, receiving_currency, total_sending_amount, total_receiving_amount, exchange_rate,
    fees_included, platform_fees_included, expires_at)
  values ($1, $2, $3, 'PENDING', 'ACCOUNT', $4, 'ACCOUNT', $5, 'USD', 'USD', 100, 100, 1, 0, 0, now() + interval '5 minutes')`
const PAYMENT = TRANSACTION.replace('platform_fees)', 'platform_fees, exchange_rate, quote_id)').replace(
  '0, 0\n',
  '0, 0, 1, $6\n',
)
const EXPIRY = `select add_job('expireQuote', $1::json, run_at => now() + interval '5 minutes')`

const EXECUTED = `update quotes set status = 'PROCESSING', updated_at = now() where platform_id = $1 and id = $2 and status = 'PENDING'`
const LEFT = `
  update transactions set status = 'PROCESSING', payment_rail = 'ACH', destination_payment_rail = 'ACH', rail_selection_mode = 'AUTO',
    settlement_timeline_seconds = 86400, expected_settlement_at = created_at + interval '1 day', settled_at = created_at + interval '1 day'
  where platform_id = $1 and id = $2`
const MOVEMENT = `insert into ledger_movements (platform_id, id, kind, transaction_id) values ($1, $2, 'PAYMENT', $3)`
const ENTRIES = `
  insert into ledger_entries (platform_id, movement_id, position, account_id, book, currency, amount)
  values ($1, $2, 1, $3, null, 'USD', -100), ($1, $2, 2, null, 'EXCHANGE', 'USD', 100)`
const ARRIVAL = `select add_job('advancePayment', $1::json, run_at => now() + interval '1 second')`

type Statement = readonly [text: string, ...values: readonly string[]]

/** Statements with these texts are planned once per connection. */
const NAMES = new Map<string, string>()
const nameOf = (text: string) => {
  const name = NAMES.get(text) ?? `statement_${NAMES.size}`
  NAMES.set(text, name)
  return name
}

const transact = async (...statements: readonly Statement[]) => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const [text, ...values] of statements) await client.query({ name: nameOf(text), text, values })
    await client.query('commit')
  } finally {
    client.release()
  }
}

const writeTransfer = async ({ customerId, from, to }: Payer) => {
  const [accountId, outsideId, id] = [partsOfId(from).uuid, partsOfId(to).uuid, newUuid()]
  await transact(
    [TRANSACTION, platformId, id, accountId, outsideId, customerId],
    [HOLD, platformId, accountId, id],
    [JOB, JSON.stringify({ platformId, transactionId: id })],
  )
}

interface Quote {
  readonly quoteId: string
  readonly id: string
  readonly accountId: string
}

const writeQuote = async ({ customerId, from, to }: Payer): Promise<Quote> => {
  const [accountId, outsideId, quoteId, id] = [partsOfId(from).uuid, partsOfId(to).uuid, newUuid(), newUuid()]
  await transact(
    [QUOTE, platformId, quoteId, customerId, accountId, outsideId],
    [PAYMENT, platformId, id, accountId, outsideId, customerId, quoteId],
    [EXPIRY, JSON.stringify({ platformId, quoteId })],
  )
  return { quoteId, id, accountId }
}

const execute = async ({ quoteId, id, accountId }: Quote) => {
  const movementId = newUuid()
  await transact(
    [EXECUTED, platformId, quoteId],
    [LEFT, platformId, id],
    [MOVEMENT, platformId, movementId, id],
    [ENTRIES, platformId, movementId, accountId],
    [ARRIVAL, JSON.stringify({ platformId, transactionId: id, event: 0 })],
  )
}

/** For the given time, or once for each of `count` quotes of a payer. */
export type Bare =
  | { readonly what: 'transfer' | 'quote'; readonly seconds: number }
  | { readonly what: 'execute'; readonly count: number }

const measure = async (question: Bare): Promise<number> => {
  const quotes = await Promise.all(
    payers.map(async (payer) => {
      const made: Quote[] = []
      while (question.what === 'execute' && made.length < question.count) made.push(await writeQuote(payer))
      return made
    }),
  )
  const started = performance.now()
  let written = 0
  await Promise.all(
    payers.map(async (payer, index) => {
      if (question.what === 'execute') {
        for (const quote of quotes[index] ?? []) {
          await execute(quote)
          written += 1
        }
        return
      }
      const write = question.what === 'quote' ? writeQuote : writeTransfer
      while (performance.now() < started + question.seconds * 1_000) {
        await write(payer)
        written += 1
      }
    }),
  )
  return (written * 1_000) / (performance.now() - started)
}

process.on('message', (question: Bare) => {
  measure(question).then(
    (perSecond) => process.send?.({ perSecond }),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ authorization, platformId, payers } satisfies Paying)
