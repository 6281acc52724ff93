// Random histories of card use, payments, funding and refunds on one account, against a plain model that shares no code with the gateway.
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { cardFaces, type Simulation } from '#test/setup/cards/card-faces.ts'
import { expectConsistent } from '#test/setup/cards/consistency.ts'
import {
  createShopper,
  eventsOf,
  owedTo,
  purchase,
  readTransaction,
  reported,
  type Shopper,
  summariesOf,
} from '#test/setup/cards/shoppers.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createOutside, fund, fundsOf, transferInput } from '#test/setup/payments/payers.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'

/** The full campaign sets CARD_HISTORIES=2000. */
const HISTORIES = Number(process.env['CARD_HISTORIES'] ?? 12)
const STEPS = 24

const upTo = (count: number) => Math.floor(Math.random() * count)
const pick = <T>(items: readonly T[]): T => items[upTo(items.length)] as T
const some = () => pick([0, 1, 50, 300, 700, 1000, 1500, 4000])

interface Pull {
  state: 'HELD' | 'TAKEN' | 'FAILED'
  readonly amount: number
  kept: number
}

class Purchase {
  id = ''
  status: string
  authorized: number
  settled = 0
  clearings = 0
  hasCleared = false
  returns: number[] = []
  hasReturned = false
  pulls: Pull[] = []
  events: string[]
  readonly isCredit: boolean
  readonly fails: boolean
  constructor(amount: number, isCredit: boolean, fails: boolean, status: string) {
    this.authorized = amount
    this.isCredit = isCredit
    this.fails = fails
    this.status = status
    this.events = [status]
  }
  get covered() {
    return this.pulls.reduce((sum, { state, kept }) => sum + (state === 'FAILED' ? 0 : kept), 0)
  }
  get returned() {
    return this.returns.reduce((sum, each) => sum + each, 0)
  }
  become(status: string) {
    this.status = status
    this.events.push(status)
  }
  get text() {
    const live = this.pulls.filter(({ state }) => state !== 'FAILED')
    const total = live.reduce((sum, { amount }) => sum + amount, 0)
    const pending = this.pulls.filter(({ state }) => state === 'HELD').length
    return `${this.status} pull ${this.pulls.length} ${total} ${pending}, settled ${this.clearings} ${this.settled}, refunded ${this.returns.length} ${this.returned}`
  }
}

class Model {
  free: number
  total: number
  owed = 0
  card = 'ACTIVE'
  purchases: Purchase[] = []
  constructor(balance: number) {
    this.free = balance
    this.total = balance
  }

  end(purchase: Purchase, pull: Pull) {
    if (pull.state !== 'HELD') return
    if (purchase.fails) {
      pull.state = 'FAILED'
      this.free += pull.kept
    } else {
      pull.state = 'TAKEN'
      this.total -= pull.kept
    }
  }

  /** Slow pulls end too. */
  endAll() {
    for (const purchase of this.purchases) for (const pull of purchase.pulls) this.end(purchase, pull)
  }

  use(kind: string, amount: number, suffix: string): Purchase | 'REFUSED' | null {
    if (this.card === 'CLOSED' || amount < 1) return 'REFUSED'
    if (this.card === 'FROZEN' || suffix === '002' || suffix === '003') return null
    const isCredit = kind.includes('credit')
    const isFinancial = kind.startsWith('financial')
    if (!isCredit && (amount > this.free || (isFinancial && suffix === '006'))) return null
    const made = new Purchase(amount, isCredit, suffix === '006', isFinancial ? 'SETTLED' : 'AUTHORIZED')
    this.purchases.push(made)
    if (!isCredit) {
      made.pulls.push({ state: isFinancial ? 'TAKEN' : 'HELD', amount, kept: amount })
      this.free -= amount
    } else if (isFinancial) this.free += amount
    if (isFinancial) {
      this.total += isCredit ? amount : -amount
      Object.assign(made, { settled: amount, clearings: 1, hasCleared: true })
    }
    return made
  }

  giveBack(purchase: Purchase, amount: number) {
    let rest = amount
    for (const pull of purchase.pulls.toReversed()) {
      if (pull.state === 'FAILED') continue
      const part = Math.min(rest, pull.kept)
      pull.kept -= part
      this.free += part
      if (pull.state === 'TAKEN') this.total += part
      rest -= part
    }
  }

  /** Whether the call is accepted. */
  step(purchase: Purchase, step: string, amount: number): boolean {
    const isOpen = purchase.status === 'AUTHORIZED' || purchase.status === 'PARTIALLY_SETTLED'
    switch (step) {
      case 'clearing':
        if (isOpen) this.clear(purchase, amount)
        return isOpen
      case 'authorization_advice':
        if (!isOpen || amount < 1 || amount < purchase.settled) return false
        this.advise(purchase, amount)
        return true
      case 'return':
        if (purchase.isCredit || (purchase.status !== 'SETTLED' && purchase.status !== 'REFUNDED')) return false
        if (amount < 1 || amount > purchase.settled - purchase.returned) return false
        purchase.returns.push(amount)
        purchase.hasReturned = true
        this.free += amount
        this.total += amount
        purchase.become('REFUNDED')
        return true
      default: {
        if (purchase.status !== 'REFUNDED') return false
        const last = purchase.returns.pop() ?? 0
        if (this.free >= last) {
          this.free -= last
          this.total -= last
        } else this.owed += last
        purchase.become(purchase.returns.length > 0 ? 'REFUNDED' : 'SETTLED')
        return true
      }
    }
  }

  clear(purchase: Purchase, amount: number) {
    for (const pull of purchase.pulls) this.end(purchase, pull)
    purchase.settled += amount
    purchase.hasCleared = true
    if (amount > 0) purchase.clearings += 1
    const isOver = amount === 0 || purchase.settled >= purchase.authorized
    if (purchase.isCredit) {
      this.free += amount
      this.total += amount
      return purchase.become(isOver ? 'SETTLED' : 'PARTIALLY_SETTLED')
    }
    const missing = purchase.settled - purchase.covered
    if (missing > 0 && purchase.pulls.every(({ state }) => state !== 'FAILED')) {
      if (missing <= this.free) {
        this.free -= missing
        this.total -= missing
        purchase.pulls.push({ state: 'TAKEN', amount: missing, kept: missing })
      } else purchase.pulls.push({ state: 'FAILED', amount: missing, kept: missing })
    }
    if (purchase.settled > purchase.covered) {
      this.owed += purchase.settled - purchase.covered
      return purchase.become('EXCEPTION')
    }
    if (!isOver) return purchase.become('PARTIALLY_SETTLED')
    this.giveBack(purchase, purchase.covered - purchase.settled)
    purchase.become('SETTLED')
  }

  advise(purchase: Purchase, total: number) {
    const more = total - purchase.authorized
    if (!purchase.isCredit && more > 0) {
      if (more > this.free) return
      this.free -= more
      purchase.pulls.push({ state: 'HELD', amount: more, kept: more })
    }
    if (!purchase.isCredit && more < 0) this.giveBack(purchase, Math.max(0, purchase.covered - total))
    purchase.authorized = total
    if (purchase.hasCleared && purchase.settled >= total) purchase.become('SETTLED')
  }
}

const USES = [
  'authorization',
  'authorization',
  'authorization',
  'financial_authorization',
  'credit_authorization',
  'financial_credit_authorization',
]
const LATER_STEPS = ['clearing', 'clearing', 'clearing', 'authorization_advice', 'return', 'return', 'return_reversal']

const act = async (shopper: Shopper, model: Model, outside: string): Promise<string> => {
  const { platform, cardId, accountId } = shopper
  const face = pick(cardFaces)
  const roll = upTo(20)
  if (roll < 7 || (roll < 15 && model.purchases.length === 0)) {
    const [kind, amount, suffix] = [pick(USES), some(), pick(['BAR', 'BAR', 'BAR', '002', '003', '005', '006'])]
    const { status, body } = await face.simulate(platform, cardId, kind as Simulation, purchase(amount, suffix))
    await reported(platform)
    const made = model.use(kind, amount, suffix)
    expect([kind, amount, suffix, status]).toEqual([kind, amount, suffix, made === 'REFUSED' ? 400 : 202])
    const row = await db.transaction.findFirst({
      where: { platformId: platform.id, issuerTransactionToken: body.issuerTransactionToken ?? 'none' },
    })
    expect([kind, amount, suffix, row !== null]).toEqual([kind, amount, suffix, made instanceof Purchase])
    if (made instanceof Purchase) made.id = `CardTransaction:${row?.id}`
    return `${kind} ${amount} ${suffix}: ${status} ${row?.status ?? 'nothing'}`
  }
  if (roll < 15) {
    const [made, step] = [pick(model.purchases), pick(LATER_STEPS)]
    const amount = pick([some(), some(), made.authorized, made.settled])
    const input = { cardTransactionId: made.id, ...(step !== 'return_reversal' && { amount }) }
    const { status } = await face.simulate(platform, cardId, step as Simulation, input)
    await reported(platform)
    const text = `${step} ${amount} of ${made.id}`
    expect([text, status]).toEqual([text, model.step(made, step, amount) ? 202 : 400])
    return `${text}: ${status}`
  }
  if (roll < 16) {
    const state = pick(['ACTIVE', 'FROZEN', 'FROZEN', 'ACTIVE', 'CLOSED'] as const)
    const { status } = await face.update(platform, cardId, { state })
    const isAllowed = model.card !== 'CLOSED' && model.card !== state
    expect(status).toBe(isAllowed ? 200 : 409)
    if (isAllowed) model.card = state
    return `card ${state}: ${status}`
  }
  if (roll < 17) {
    const amount = some() + 1
    await fund(platform, accountId, 'USD', BigInt(amount))
    model.free += amount
    model.total += amount
    return `funding ${amount}`
  }
  if (roll < 19) {
    const amount = some() + 1
    // The one that fails is refunded.
    const fails = Math.random() < 0.4
    const to = fails ? outside.split(' ')[1] : outside.split(' ')[0]
    const { status } = await callRest(platform, 'POST', '/transfer-out', transferInput(accountId, to ?? '', amount))
    expect(status).toBe(amount <= model.free ? 201 : 400)
    if (status === 201 && !fails) {
      model.free -= amount
      model.total -= amount
    }
  }
  await passTime(platform.id, 120)
  model.endAll()
  return 'time'
}

it(`${HISTORIES} random histories end as in the model`, { timeout: 36_000_000 }, async () => {
  let steps = 0
  for (let history = 0; history < HISTORIES; history += 1) {
    const balance = pick([0, 1000, 3000, 10_000])
    const shopper = await createShopper({ balance: BigInt(balance) })
    const { platform, accountId } = shopper
    const outside = `${await createOutside(platform, '001', { ownerId: shopper.customerId })} ${await createOutside(platform, '002', { ownerId: shopper.customerId })}`
    const model = new Model(balance)
    const log: string[] = []
    for (let step = 0; step < STEPS; step += 1) {
      log.push(await act(shopper, model, outside))
      const funds = await fundsOf(platform, accountId)
      expect([log, funds, await owedTo(shopper)]).toEqual([log, [model.free, model.total], model.owed])
      steps += 1
    }
    for (const made of model.purchases) {
      const found = await readTransaction(shopper, made.id)
      expect([log, `${found.status} ${summariesOf(found)}`]).toEqual([log, made.text])
      expect([log, found.settledAmount !== undefined, found.refundedAmount !== undefined]).toEqual([
        log,
        made.hasCleared,
        made.hasReturned,
      ])
      expect([log, await eventsOf(shopper, made.id)]).toEqual([log, made.events])
    }
    await expectConsistent(platform)
  }
  console.log(`histories ${HISTORIES}, steps ${steps}`)
})
