// How customers of the sandbox use their cards. A call only asks the issuer; the outcome is read from the transactions.
import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { MERCHANTS } from '../demo/words.ts'
import { type Activity, topUp } from './activity.ts'
import type { Call } from './client.ts'
import { orderCard, pick, type Resident } from './resident.ts'

interface Purchase {
  readonly id: string
  readonly status: string
  readonly amount: number
}

const EVERY_MS = 250
const MOST_MS = 8_000

/** Returns what `read` finds as soon as it finds something. Undefined if it finds nothing for some seconds. */
const found = async <T>(read: () => Promise<T | undefined>): Promise<T | undefined> => {
  for (let waited = 0; waited < MOST_MS; waited += EVERY_MS) {
    const seen = await read()
    if (seen) return seen
    await wait(EVERY_MS)
  }
  return undefined
}

/** Uses the card at a merchant whose name has this ending. Returns the issuer's token of the transaction. */
const use = async (call: Call, { card }: Resident, operation: string, total: number, ending = '') => {
  const { descriptor, mcc, country } = pick(MERCHANTS)
  const { issuerTransactionToken } = await call('POST', `/sandbox/cards/${card}/simulate/${operation}`, {
    amount: total,
    currency: { code: 'USD' },
    merchant: { descriptor: `${descriptor}${ending}`, mcc, country },
  })
  return issuerTransactionToken as string
}

const price = () => {
  const { from, to } = pick(MERCHANTS)
  return randomInt(from, Math.min(to, 20_000))
}

/** The purchase, once it is approved. Undefined if it is declined, for example because the account is empty. */
const buy = async (call: Call, resident: Resident, ending?: string): Promise<Purchase | undefined> => {
  const amount = price()
  const token = await use(call, resident, 'authorization', amount, ending)
  const bought = await found(async () => {
    const { data } = await call('GET', `/transactions?customerId=${resident.customerId}&limit=100`)
    return data.find((each: { issuerTransactionToken?: string }) => each.issuerTransactionToken === token)
  })
  if (!bought) await topUp(call, resident)
  return bought && { id: bought.id, status: bought.status, amount }
}

/** Takes a step, and waits until the status of the purchase changes. Returns the new status, or undefined if it does not change. */
const step = async (call: Call, { card }: Resident, { id, status }: Purchase, name: string, amount?: number) => {
  await call('POST', `/sandbox/cards/${card}/simulate/${name}`, {
    cardTransactionId: id,
    ...(amount !== undefined && { amount }),
  })
  const next = await found(async () => {
    const seen = await call('GET', `/transactions/${id}`)
    return seen.status === status ? undefined : seen.status
  })
  return next as string | undefined
}

/** What merchants clear: mostly the whole amount, or more with a tip, or two parts, or nothing. Some leave the authorization open. */
const CLEARINGS: readonly ((amount: number) => readonly number[])[] = [
  (amount) => [amount],
  (amount) => [amount],
  (amount) => [Math.ceil(amount * 1.2)],
  (amount) => [Math.ceil(amount * 0.4), amount - Math.ceil(amount * 0.4)],
  () => [0],
  () => [],
]

const buyAndClear = async (call: Call, resident: Resident, clearings = pick(CLEARINGS), ending?: string) => {
  let bought = await buy(call, resident, ending)
  for (const amount of bought ? clearings(bought.amount) : []) {
    const status = bought && (await step(call, resident, bought, 'clearing', amount))
    // A transaction that ended in EXCEPTION takes no more clearings.
    bought = bought && status && status !== 'EXCEPTION' ? { ...bought, status } : undefined
  }
  return bought
}

const ALL = (amount: number) => [amount]

export const CARD_ACTIVITIES: readonly Activity[] = [
  {
    name: 'card purchase',
    weight: 3,
    act: async (call, resident) => {
      // At one merchant in ten the pull fails.
      await buyAndClear(call, resident, pick(CLEARINGS), randomInt(10) === 0 ? ' 006' : '')
    },
  },
  {
    name: 'card return',
    weight: 1,
    act: async (call, resident) => {
      const bought = await buyAndClear(call, resident, ALL)
      if (bought?.status !== 'SETTLED') return
      const status = await step(call, resident, bought, 'return', randomInt(1, bought.amount + 1))
      if (status === 'REFUNDED' && randomInt(3) === 0)
        await step(call, resident, { ...bought, status }, 'return_reversal')
    },
  },
  {
    name: 'single message',
    weight: 1,
    act: async (call, resident) => {
      await use(call, resident, 'financial_authorization', price())
    },
  },
  {
    name: 'decline',
    weight: 1,
    act: async (call, resident) => {
      await use(call, resident, 'authorization', price(), pick([' 002', ' 003']))
    },
  },
  {
    name: 'new card',
    weight: 1,
    act: async (call, resident) => {
      // The issuer refuses one order in four.
      await orderCard(call, resident, pick(['first', 'second', 'third', '002']))
    },
  },
]
