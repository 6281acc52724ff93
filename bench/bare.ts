// Writes what a transfer writes, by one handwritten transaction for each caller, in its own process. Prepares the payers of the rounds too.

import { API_PERMISSIONS } from '#core/caller.ts'
import { partsOfId } from '#core/ids.ts'
import { pool } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { insertToken } from '#platforms/tokens/token.ts'
import { createPayer, createPlatform, type Payer } from './payers.ts'

export interface Paying {
  readonly authorization: string
  readonly platformId: string
  readonly payers: readonly Payer[]
}

const CALLERS = 16

const platformId = await createPlatform()
const payers = await Promise.all(Array.from({ length: CALLERS }, () => createPayer(platformId)))
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
const JOB = `select graphile_worker.add_job('startTransfer', $1::json)`

const write = async ({ customerId, from, to }: Payer) => {
  const [accountId, outsideId, id] = [partsOfId(from).uuid, partsOfId(to).uuid, crypto.randomUUID()]
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({
      name: 'transaction',
      text: TRANSACTION,
      values: [platformId, id, accountId, outsideId, customerId],
    })
    await client.query({ name: 'hold', text: HOLD, values: [platformId, accountId, id] })
    await client.query({ name: 'job', text: JOB, values: [JSON.stringify({ platformId, transactionId: id })] })
    await client.query('commit')
  } finally {
    client.release()
  }
}

process.on('message', ({ seconds }: { seconds: number }) => {
  const end = performance.now() + seconds * 1_000
  let written = 0
  const writeUntilEnd = async (payer: Payer) => {
    while (performance.now() < end) {
      await write(payer)
      written += 1
    }
  }
  Promise.all(payers.map(writeUntilEnd)).then(
    () => process.send?.({ perSecond: written / seconds }),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ authorization, platformId, payers } satisfies Paying)
