// What is true of every card transaction, whatever happened: its row follows from its history, and the ledger has moved the amounts in the history.
import { expect } from 'vitest'
import { db } from '#database/db.ts'
import type { Platform } from '#test/setup/world.ts'
import { type CardEvent, type CardPull, summaryOf } from '#transactions/cards/history.ts'

interface Stored {
  readonly transaction_id: string
}

export const expectConsistent = async ({ id: platformId }: Pick<Platform, 'id'>): Promise<void> => {
  const rows = await db.transaction.findMany({ where: { platformId, type: 'CARD' } })
  const events = await db.$queryRaw<(CardEvent & Stored)[]>`
    select transaction_id, kind::text, amount from card_events where platform_id = ${platformId}::uuid order by transaction_id, sequence`
  const pulls = await db.$queryRaw<(CardPull & Stored & { held: bigint | null })[]>`
    select pull.transaction_id, pull.status::text, pull.amount, given_back as "givenBack", hold.amount as held
    from card_pulls pull left join ledger_holds hold on hold.platform_id = pull.platform_id and hold.id = hold_id and released_at is null
    where pull.platform_id = ${platformId}::uuid order by pull.transaction_id, sequence`
  const moved = await db.$queryRaw<(Stored & { account: bigint; owed: bigint })[]>`
    select transaction_id, coalesce(sum(amount) filter (where account_id is not null), 0)::bigint as account,
      coalesce(sum(amount) filter (where book = 'RECEIVABLE'), 0)::bigint as owed
    from ledger_movements movement join ledger_entries entry on entry.platform_id = movement.platform_id and movement_id = movement.id
    where movement.platform_id = ${platformId}::uuid and transaction_id is not null group by 1`
  for (const row of rows) {
    const ofRow = <T extends Stored>(all: readonly T[]) => all.filter(({ transaction_id: id }) => id === row.id)
    const history = { direction: row.direction, events: ofRow(events), pulls: ofRow(pulls) }
    const summary = summaryOf(history)
    expect(Object.fromEntries(Object.keys(summary).map((name) => [name, row[name as keyof typeof row]]))).toEqual(
      summary,
    )
    for (const { status, amount, givenBack, held } of history.pulls) {
      expect(held ?? 0n).toBe(status === 'PENDING' ? amount - givenBack : 0n)
    }
    const taken = history.pulls.reduce(
      (total, { status, amount, givenBack }) => total + (status === 'CONFIRMED' ? amount - givenBack : 0n),
      0n,
    )
    const [{ account, owed } = { account: 0n, owed: 0n }] = ofRow(moved)
    // Together the account and the debtor have paid what was pulled or cleared, without what was returned.
    const settled = summary.settledAmount ?? 0n
    const paid = row.direction === 'CREDIT' ? -settled : summary.status === 'EXCEPTION' ? settled : taken
    expect([row.id, -account - owed]).toEqual([row.id, paid - summary.refundTotalAmount])
  }
}
