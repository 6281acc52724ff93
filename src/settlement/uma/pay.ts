// A payment to a UMA address of another institution: notifies that institution until it gives a definite answer (docs/domain/uma.md#settlement).
import { postMovement } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import { partsOfUma } from '#core/addresses/uma.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { db, type Sql, sql } from '#database/db.ts'
import { type Call, callTask, startCall } from '#database/jobs/calls.ts'
import { addingJob } from '#database/jobs/jobs.ts'
import type { Send } from '#database/round-trips.ts'
import { recordInTurn } from '#database/turns.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Transaction, UmaDemand, UmaProvider } from '#generated/prisma/client.ts'
import { failAndRefund } from '#settlement/payment-outcomes.ts'
import { lockPayment, movePayment } from '#settlement/payment-status.ts'
import { callProvider } from '#uma/call.ts'
import { isSignedStatement, movementHash, type SettlementStatement, signStatement } from '#uma/demand.ts'
import { type Institution, ownFormerInstitution } from '#uma/own-keys.ts'
import { keysOf } from '#uma/provider-keys.ts'
import { sdk } from '#uma/sdk.ts'
import { counterpartyCode, jsonOf, MSATS } from '#uma/wire.ts'

interface PaymentKey extends Record<string, string> {
  readonly platformId: string
  readonly transactionId: string
}

/**
 * The statement that schedules the message to the payee's institution. Throws 409 `CONFLICT` with the reason `QUOTE_EXPIRED` if the demand
 * is no longer open; nothing has moved then.
 */
export const carryingUma = async (
  send: Send,
  { platformId, id: transactionId }: Pick<Transaction, 'platformId' | 'id'>,
): Promise<Sql> => {
  const [[open]] = await send(sql`
    select 1 from uma_demands where platform_id = ${platformId}::uuid and transaction_id = ${transactionId}::uuid
      and role = 'PAYER' and status = 'OPEN' and expires_at > now()`)
  if (!open) throw new ApiError('CONFLICT', 'The demand for the payment is no longer open', { reason: 'QUOTE_EXPIRED' })
  return addingJob(tellPayment, { platformId, transactionId })
}

/** The call that notifies the payee's institution, if the demand is still open. */
const callAbout = async (key: PaymentKey): Promise<Call | undefined> => {
  const demand = await openDemandOf(key)
  if (!demand) return undefined
  const { id, provider } = demand
  return { id, server: provider.baseUrl ?? provider.domain, run: () => notify(demand) }
}

export const tellPayment = callTask('tellPayment', callAbout)

/** Starts the notification at once, if the demand is still open. */
export const notifyPayee = async (key: PaymentKey): Promise<void> => {
  const call = await callAbout(key)
  if (call) startCall(tellPayment.name, call)
}

type PayerDemand = UmaDemand & { readonly provider: UmaProvider }

const openDemandOf = ({ platformId, transactionId }: PaymentKey): Promise<PayerDemand | null> =>
  db.umaDemand.findUnique({
    where: { platformId_transactionId: { platformId, transactionId }, status: 'OPEN', role: 'PAYER' },
    include: { provider: true },
  })

/**
 * Says that we owe the amount. Without an answer it throws, nothing changes, and the institution is notified again later.
 * Only a signed answer of that institution completes the payment, or fails and refunds it.
 */
const notify = async (demand: PayerDemand): Promise<void> => {
  const platformId = demand.platformId as PlatformId
  const statement = await requestStatement(platformId, demand)
  const end = statement.said === 'SETTLED' ? complete : refuse
  await recordInTurn(demand.providerId, () => end(platformId, demand, statement))
}

const requestStatement = async (
  platformId: PlatformId,
  { demandId, payer, satoshis, callback, provider }: PayerDemand,
): Promise<SettlementStatement> => {
  const own = await ownFormerInstitution(platformId, partsOfUma(payer).domain)
  const about = { demandId, satoshis, movement: movementHash(demandId, own.domain) }
  const body = await messageOf(own, { ...about, said: 'PAID' })
  const answered = await callProvider(provider, own.environment, callback ?? '/', body)
  if (!answered) throw new Error('The UMA provider did not answer')
  const { signing } = await keysOf(own, provider)
  const { settlement } = Object(jsonOf(answered.text))
  const signature: unknown = Object(settlement).signature
  const settled: SettlementStatement = { ...about, said: 'SETTLED' }
  if (answered.status === 200 && isSignedStatement(settled, signature, signing.publicKey)) return settled
  const refused: SettlementStatement = { ...about, said: 'REFUSED', code: counterpartyCode(answered.text) ?? null }
  if (answered.status >= 400 && isSignedStatement(refused, signature, signing.publicKey)) return refused
  throw new Error('The UMA provider gave no definite answer')
}

/** The callback of the protocol, which signs no amounts, together with our own signed note. */
const messageOf = async (own: Institution, statement: SettlementStatement): Promise<string> => {
  const { getPostTransactionCallback } = await sdk()
  const amountMsats = Number(statement.satoshis) * MSATS
  const callback = await getPostTransactionCallback({
    utxos: [{ utxo: `${statement.movement}:0`, amountMsats }],
    vaspDomain: own.domain,
    signingPrivateKey: own.signingKey,
  })
  const { demandId, movement } = statement
  return JSON.stringify({ ...callback, settlement: { demandId, movement, signature: signStatement(own, statement) } })
}

/** If several answers arrive at once, the first counts. */
const whileOpen = (
  platformId: PlatformId,
  { id, transactionId }: UmaDemand,
  work: (tx: Tx, payment: Transaction) => Promise<void>,
): Promise<void> =>
  inTransaction(async (tx) => {
    const where = { platformId_id: { platformId, id: transactionId } }
    const payment = await tx.transaction.findUniqueOrThrow({ where })
    const accountId = payment.sourceInternalAccountId
    await lockAccounts(tx, { platformId }, accountId === null ? [] : [accountId])
    await lockPayment(tx, payment)
    const [open] = await tx.$queryRaw<object[]>`
      select from uma_demands where platform_id = ${platformId}::uuid and id = ${id}::uuid and status = 'OPEN' for update`
    if (open) await work(tx, await tx.transaction.findUniqueOrThrow({ where }))
  })

const complete = (platformId: PlatformId, demand: UmaDemand, { movement }: SettlementStatement) =>
  whileOpen(platformId, demand, async (tx, payment) => {
    const { satoshis, providerId } = demand
    const settledAt = await timeOf(tx)
    await movePayment(tx, platformId, payment, 'COMPLETED', { settledAt, reconciliationTransactionHash: movement })
    await postMovement(tx, platformId, {
      kind: 'PAYMENT',
      transactionId: payment.id,
      entries: [
        { book: 'EXCHANGE', currency: 'BTC', amount: -satoshis },
        { book: 'SETTLEMENT', currency: 'BTC', amount: satoshis },
      ],
    })
    await tx.umaDemand.update({
      where: { platformId_id: { platformId, id: demand.id } },
      data: { status: 'SETTLED', settledAt, note: movement },
    })
    await tx.umaProvider.update({
      where: { platformId_id: { platformId, id: providerId } },
      data: { balance: { decrement: satoshis } },
    })
  })

const refuse = (platformId: PlatformId, demand: UmaDemand, { code }: SettlementStatement) =>
  whileOpen(platformId, demand, async (tx, payment) => {
    const occasion = { reason: 'COUNTERPARTY_POST_TX_FAILED', now: await timeOf(tx) } as const
    await failAndRefund(tx, platformId, payment, occasion)
    await tx.umaDemand.update({
      where: { platformId_id: { platformId, id: demand.id } },
      data: { status: 'REFUSED', refusal: code ?? 'INTERNAL_ERROR' },
    })
  })
