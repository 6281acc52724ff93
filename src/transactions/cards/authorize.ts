// The issuer requests an authorization for a use of a card (docs/domain/cards.md#card-money).
import { lockAccounts } from '#accounts/lock.ts'
import type { CardIssuer } from '#cards/issuer.ts'
import { shareCard } from '#cards/state.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Card as CardRow } from '#generated/prisma/client.ts'
import { scheduleEnd } from './confirm.ts'
import { type CardEvent, summaryOf } from './history.ts'
import { mayPull, moveMoney, startPull } from './pulls.ts'
import { addEvent, addPull, type CardTransaction, cardTransaction, isReported, type StoredPull } from './stored.ts'

export interface AuthorizationRequest {
  readonly cardId: string
  readonly direction: 'DEBIT' | 'CREDIT'
  /** A single message is authorized and cleared at once. */
  readonly isFinancial: boolean
  /** In the smallest unit of the card's currency, above zero. */
  readonly amount: bigint
  readonly currency: string
  readonly merchant: { readonly descriptor: string; readonly mcc: string | null; readonly country: string | null }
  readonly issuerTransactionToken: string
}

/**
 * Approves the request, which makes a card transaction, or declines it, which changes nothing. It declines a card that
 * is not active, another currency, an account that cannot be pulled from or has too little money, and a single message
 * whose pull would fail. A request that arrives twice counts once: one that was approved is approved again, even if the
 * card was frozen meanwhile.
 */
export const authorize = async (
  tx: Tx,
  platformId: PlatformId,
  issuer: CardIssuer,
  request: AuthorizationRequest,
): Promise<'APPROVED' | 'DECLINED'> => {
  const { direction, isFinancial, amount, issuerTransactionToken: token } = request
  const card = await shareCard(tx, platformId, request.cardId)
  if (!card) return 'DECLINED'
  const [account] = await lockAccounts(tx, { platformId }, [card.accountId])
  if (await isReported(tx, platformId, token)) return 'APPROVED'
  if (card.state !== 'ACTIVE') return 'DECLINED'
  const { currency, status } = await tx.internalAccount.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: card.accountId } },
    select: { currency: true, status: true },
  })
  if (!account || status !== 'ACTIVE' || currency !== request.currency) return 'DECLINED'
  const outcome = issuer.pullOutcome(request.merchant.descriptor)
  if (direction === 'CREDIT') {
    if (account.totalBalance + amount > MAX_AMOUNT) return 'DECLINED'
  } else {
    const pulled = { platformId, accountId: card.accountId, currency, row: { cardId: card.id } }
    if (account.balance < amount || !(await mayPull(tx, pulled, amount))) return 'DECLINED'
    if (isFinancial && !outcome.isConfirmed) return 'DECLINED'
  }
  const created = await insert(tx, platformId, card, request)
  if (isFinancial) await moveMoney(tx, created, direction === 'DEBIT' ? -amount : amount)
  else if (direction === 'DEBIT') await scheduleEnd(tx, await startPull(tx, created, amount), outcome.afterSeconds)
  return 'APPROVED'
}

const insert = async (
  tx: Tx,
  platformId: PlatformId,
  card: CardRow,
  { direction, isFinancial, amount, currency, merchant, issuerTransactionToken }: AuthorizationRequest,
): Promise<CardTransaction> => {
  const [createdAt, id] = [await timeOf(tx), newUuid()]
  const { platformCustomerId } = await tx.customer.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: card.customerId } },
    select: { platformCustomerId: true },
  })
  const authorized: CardEvent = { kind: 'AUTHORIZATION', amount }
  const events = isFinancial ? [authorized, { kind: 'CLEARING', amount } as const] : [authorized]
  const status = isFinancial ? 'CONFIRMED' : 'PENDING'
  const pull: StoredPull = { id: newUuid(), status, amount, givenBack: 0n, holdId: null }
  // The row is complete from the start, because its first event shows it.
  const row = await tx.transaction.create({
    data: {
      platformId,
      id,
      type: 'CARD',
      direction,
      customerId: card.customerId,
      platformCustomerId,
      cardId: card.id,
      issuerTransactionToken,
      merchantDescriptor: merchant.descriptor,
      merchantMcc: merchant.mcc,
      merchantCountry: merchant.country,
      cardCurrency: currency,
      ...(direction === 'DEBIT'
        ? { sourceInternalAccountId: card.accountId }
        : { destinationInternalAccountId: card.accountId }),
      ...summaryOf({ direction, events, pulls: direction === 'DEBIT' ? [pull] : [] }),
      createdAt,
      updatedAt: createdAt,
      lastEventAt: isFinancial ? createdAt : null,
    },
  })
  let created = cardTransaction(platformId, row, { events: [], pulls: [] })
  created = await addEvent(tx, created, authorized, issuerTransactionToken)
  if (!isFinancial) return created
  created = await addEvent(tx, created, { kind: 'CLEARING', amount }, `${issuerTransactionToken}_clearing`)
  return direction === 'DEBIT' ? addPull(tx, created, pull, 'AUTHORIZATION') : created
}
