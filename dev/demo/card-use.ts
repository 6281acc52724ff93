import { CardLedger } from './card-ledger.ts'
import { CARD_SCENARIOS, type CardScenario } from './card-scenarios.ts'
import type { UsedCard } from './cards.ts'
import { Dice } from './dice.ts'
import { addHold, addMovement } from './ledger.ts'
import { live, type Step } from './life.ts'
import { customerId } from './people.ts'
import { worth } from './rates.ts'
import { addTransaction } from './transactions.ts'
import { MERCHANTS } from './words.ts'
import { later, type World } from './world.ts'

/** A third of the transactions use the first card. */
export const addCardUse = (world: World, cards: readonly UsedCard[], count: number) => {
  const weighed = cards.map((card, place) => ({ card, weight: place === 0 ? 6 : 1 }))
  const active = weighed.filter(({ card }) => card.isActive)
  for (let place = 0; place < count; place += 1) {
    const dice = new Dice(`${world.platform}/card-use/${place}`)
    const scenario = CARD_SCENARIOS[place] ?? dice.weigh(CARD_SCENARIOS)
    const { card } = dice.weigh(scenario.openSeconds ? active : weighed)
    addCardTransaction(world, dice, `card-use/${place}`, card, scenario)
  }
}

const addCardTransaction = (
  world: World,
  dice: Dice,
  name: string,
  card: UsedCard,
  { events, openSeconds, isCredit = false, isFinancial }: CardScenario,
) => {
  const { descriptor, mcc, country, from, to } = dice.pick(MERCHANTS)
  const amount = worth(dice.int(from, to), card.currency)
  const ledger = new CardLedger(amount, isCredit)
  const steps: Step[] = isFinancial ? [] : [{ to: 'AUTHORIZED', after: 0 }]
  const changes: { after: number; change: bigint }[] = []
  let quiet = 0
  let after = 0
  for (const [seconds, event] of events(amount)) {
    quiet += seconds
    after += seconds
    const before = ledger.drawn
    const isShown = ledger.apply(event)
    changes.push({ after, change: ledger.drawn - before })
    if (!isShown) continue
    steps.push({ to: ledger.status, after: quiet })
    quiet = 0
  }
  const life = live(world, dice, steps, { openSeconds })
  const { pulls, settlements, refunds } = ledger
  const id = world.id(name)
  addTransaction(world, life, {
    id,
    type: 'CARD',
    direction: isCredit ? 'CREDIT' : 'DEBIT',
    customerId: customerId(world, card.owner),
    platformCustomerId: card.owner,
    cardId: card.id,
    ...(isCredit ? { destinationInternalAccountId: card.accountId } : { sourceInternalAccountId: card.accountId }),
    cardCurrency: card.currency,
    issuerTransactionToken: `itx_${dice.hex(24)}`,
    merchantDescriptor: descriptor,
    merchantMcc: mcc,
    merchantCountry: country,
    authorizedAmount: amount,
    settledAmount: ledger.settledAmount,
    refundedAmount: ledger.refundedAmount,
    pullCount: pulls.count,
    pullTotalAmount: pulls.total,
    pullPendingCount: pulls.pending,
    settlementCount: settlements.count,
    settlementTotalAmount: settlements.total,
    refundCount: refunds.count,
    refundTotalAmount: refunds.total,
    lastEventAt: ledger.settledAmount === null ? null : life.updatedAt,
  })
  for (const { after, change } of changes) {
    const at = later(life.createdAt, after)
    addMovement(world, { kind: change < 0n && !isCredit ? 'REFUND' : 'PAYMENT', at, transactionId: id }, [
      { accountId: card.accountId, currency: card.currency, amount: -change },
      { book: 'OUTSIDE', currency: card.currency, amount: change },
    ])
  }
  if (pulls.pending > 0) addHold(world, card.accountId, pulls.total, life.createdAt, id)
}
