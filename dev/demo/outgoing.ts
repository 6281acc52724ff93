import type { PaymentRail } from '#generated/prisma/client.ts'
import { expectedSettlement, isInstant, settlementSeconds } from '#settlement/rails.ts'
import { formOf } from './account-info.ts'
import { addAction } from './approvals.ts'
import { Dice } from './dice.ts'
import {
  type Ends,
  endsOf,
  fundingInstructions,
  railOf,
  routesOf,
  sourceOf,
  suits,
  walletInstructions,
} from './legs.ts'
import { type Life, live, momentOf } from './life.ts'
import { transactionHash } from './on-chain.ts'
import { OUTGOING_SCENARIOS, type OutgoingRoute, type OutgoingScenario } from './outgoing-scenarios.ts'
import { amountFor, type Owner } from './owners.ts'
import { addQuote } from './quotes.ts'
import { priceOf, rateDetailsOf } from './rates.ts'
import { addTransaction } from './transactions.ts'
import { BUSINESS_NOTES, type Correspondent, PRIVATE_NOTES } from './words.ts'
import { later, type World } from './world.ts'

const PLATFORM_FEE = { fixed: 50n, rate: 2_000n }

/** Every scenario that fits some customer occurs once; the rest are chosen at random. */
export const addOutgoing = (world: World, owners: readonly Owner[], count: number) => {
  const scenarios = OUTGOING_SCENARIOS.filter((scenario) => owners.some((owner) => suits(owner, scenario)))
  for (let place = 0; place < count; place += 1) {
    const dice = new Dice(`${world.platform}/outgoing/${place}`)
    const scenario = scenarios[place] ?? dice.weigh(scenarios)
    const owner = dice.weigh(owners.filter((candidate) => suits(candidate, scenario)))
    addPayment(world, dice, `outgoing/${place}`, owner, scenario)
  }
}

const addPayment = (world: World, dice: Dice, name: string, owner: Owner, scenario: OutgoingScenario) => {
  const id = world.id(name)
  const route = dice.pick(routesOf(owner, scenario))
  const ends = endsOf(world, dice, owner, route, scenario)
  const { sending, receiving, payee, correspondent } = ends
  const isQuoted = route !== 'payout' || sending !== receiving || (scenario.quoted ?? scenario.sca ?? false)
  // The platform charges none now, so a request that waits has the price that its approver sees.
  const hasPlatformFee = sending === 'USD' && isQuoted && dice.chance(40) && !scenario.agent
  const price = priceOf(sending, receiving, amountFor(dice, owner, sending), hasPlatformFee ? PLATFORM_FEE : undefined)

  const isManual = scenario.cancelled ?? dice.chance(25)
  const rail = railOf(dice, payee, scenario, isManual)
  const validity = validityOf(route, ends)
  const travel = travelSeconds(dice, route, rail)
  const life = live(world, dice, scenario.steps(travel, validity), {
    openSeconds: openSeconds(scenario, rail),
    plan: scenario.refund,
  })
  const startedAt = momentOf(life, 'PROCESSING')
  const completedAt = momentOf(life, 'COMPLETED')
  const knownRail = isManual || startedAt ? rail : null

  const reference = dice.base32(12)
  const hasArrived = startedAt !== null || scenario.failure === 'FUNDING_AMOUNT_MISMATCH'
  const source = sourceOf(world, dice, owner, ends, route === 'funded' ? { reference, hasArrived } : null)
  const { sourceInternalAccountId = null } = source
  const instructions =
    route === 'funded' && life.status !== 'PENDING_AUTHORIZATION'
      ? fundingInstructions(dice, sending, reference)
      : isQuoted && sending === 'USDB' && sourceInternalAccountId
        ? walletInstructions(dice, world, sourceInternalAccountId)
        : null
  // Payments that wait for approval are fixed, not random.
  const mayBeByAgent = route !== 'funded' && route !== 'uma' && life.status !== 'PENDING'
  const agentId = (scenario.agent ?? (mayBeByAgent && dice.chance(35))) ? owner.agentId : null
  const terms = {
    ...(instructions && { paymentInstructions: instructions }),
    ...(route === 'uma' && { rateDetails: rateDetailsOf(price) }),
    ...(correspondent && { counterpartyInformation: counterparty(correspondent) }),
  }
  const { destination } = ends
  const quoteId = isQuoted
    ? addQuote(
        world,
        dice,
        name,
        {
          customerId: owner.customer.customerId,
          agentId,
          sourceType: source.sourceType,
          sourceInternalAccountId,
          destinationType: destination.destinationType,
          destinationInternalAccountId: destination.destinationInternalAccountId ?? null,
          destinationExternalAccountId: destination.destinationExternalAccountId ?? null,
          destinationUmaAddress: destination.destinationUmaAddress ?? null,
          destinationPaymentRail: isManual ? rail : null,
          ...terms,
        },
        price,
        life,
        validity,
      )
    : null
  addTransaction(world, life, {
    id,
    type: 'OUTGOING',
    direction: 'DEBIT',
    ...owner.customer,
    ...source,
    ...destination,
    destinationPaymentRail: knownRail,
    ...(completedAt && payoutHash(dice, ends)),
    sentAmount: price.send,
    sentCurrency: sending,
    receivedAmount: price.receive,
    receivedCurrency: receiving,
    fees: price.fees,
    platformFees: price.platformFees,
    exchangeRate: isQuoted ? price.exchangeRate : null,
    settledAt: settledAt(life, knownRail),
    receiptDeliveryConfirmedAt: life.status === 'COMPLETED' && dice.chance(30) ? life.updatedAt : null,
    agentId,
    description: dice.chance(80) ? dice.pick(owner.isBusiness ? BUSINESS_NOTES : PRIVATE_NOTES) : null,
    quoteId,
    reconciliationReference: route === 'funded' ? reference : null,
    reconciliationTransactionHash: route === 'uma' && completedAt ? dice.hex(64) : null,
    failureReason: scenario.failure ?? null,
    ...terms,
    paymentRail: knownRail,
    railSelectionMode: knownRail && (isManual ? 'MANUAL' : 'AUTO'),
    expectedSettlementAt: knownRail && expectedSettlement(knownRail, life.createdAt),
    settlementTimelineSeconds: knownRail && settlementSeconds(knownRail),
  })
  if (agentId)
    addAction(world, name, life, {
      waits: scenario.waits ?? false,
      agentId,
      customerId: owner.customer.customerId,
      transactionId: id,
      quoteId,
      transfer: {
        type: 'TRANSFER_OUT',
        amount: price.send,
        currency: sending,
        internalAccountId: sourceInternalAccountId,
        externalAccountId: payee?.id ?? null,
      },
    })
}

const counterparty = ({ name, country, born }: Correspondent) => ({
  FULL_NAME: name,
  BIRTH_DATE: born,
  COUNTRY_OF_RESIDENCE: country,
  USER_TYPE: 'INDIVIDUAL',
})

/** A payout to a wallet has a transaction hash on its chain. Lightning payments have none. */
const payoutHash = (dice: Dice, { payee }: Ends) => {
  const network = payee && payee.type !== 'LIGHTNING' ? formOf(payee.type).network : undefined
  return network && { destinationTransactionHash: transactionHash(dice, network), destinationNetwork: network }
}

/** The lifetime of a quote in seconds. */
const validityOf = (route: OutgoingRoute, { payee }: Ends) => {
  if (route === 'uma' || payee?.type === 'LIGHTNING') return 60
  return route === 'funded' ? 900 : 300
}

const travelSeconds = (dice: Dice, route: OutgoingRoute, rail: PaymentRail | null) => {
  if (!rail) return route === 'payout' || route === 'funded' ? dice.int(20, 140) : dice.int(1, 9)
  if (isInstant(rail)) return dice.int(2, 48)
  return Math.floor((settlementSeconds(rail) * dice.int(55, 96)) / 100)
}

/** A payment over a slow rail may have been in progress for hours. */
const openSeconds = ({ openSeconds: limit, steps }: OutgoingScenario, rail: PaymentRail | null) => {
  const isProcessing = steps(0, 0).at(-1)?.to === 'PROCESSING'
  if (!limit || !isProcessing || !rail || isInstant(rail)) return limit
  return Math.floor(settlementSeconds(rail) / 2)
}

/** An estimate while a payment over a slow rail is in progress, and the actual time once it is COMPLETED. */
const settledAt = (life: Life, rail: PaymentRail | null) => {
  if (life.status === 'PROCESSING' && rail && !isInstant(rail)) return later(life.createdAt, settlementSeconds(rail))
  return momentOf(life, 'COMPLETED')
}
