import { expectedSettlement } from '#settlement/rails.ts'
import { internalAccountId, PLATFORM, PLATFORM_CURRENCIES } from './accounts.ts'
import { addAction } from './approvals.ts'
import { Dice } from './dice.ts'
import { INCOMING_SCENARIOS, type IncomingRoute, type IncomingScenario } from './incoming-scenarios.ts'
import { bankTransfer } from './legs.ts'
import { type Life, live, momentOf } from './life.ts'
import { transactionHash } from './on-chain.ts'
import { amountFor, type Owner } from './owners.ts'
import { type CurrencyCode, priceOf } from './rates.ts'
import { addTransaction } from './transactions.ts'
import { BUSINESS_NOTES, CORRESPONDENTS, PRIVATE_NOTES } from './words.ts'
import type { TransactionRow, World } from './world.ts'

type Columns = Partial<TransactionRow>
type Ends = {
  sending: CurrencyCode
  receiving: CurrencyCode
  source: Columns
  more?: Columns
  pulledFrom?: string
}

const ON_CHAIN: Partial<Record<CurrencyCode, readonly ('BASE' | 'POLYGON' | 'SPARK' | 'BITCOIN')[]>> = {
  USDC: ['BASE', 'POLYGON'],
  USDB: ['SPARK'],
  BTC: ['BITCOIN', 'SPARK'],
}

const onChain = ({ currencies }: Owner) => currencies.filter((currency) => ON_CHAIN[currency])
const inBank = ({ currencies }: Owner) => currencies.filter((currency) => !ON_CHAIN[currency])

/** Only these types of external account can be debited. */
const pullable = ({ payees, currencies }: Owner) =>
  payees.filter(
    ({ type, currency }) =>
      ['USD_ACCOUNT', 'EUR_ACCOUNT', 'GBP_ACCOUNT'].includes(type) && currencies.includes(currency),
  )

const booked = ({ key, currencies }: Owner) =>
  key === PLATFORM ? [] : currencies.filter((currency) => PLATFORM_CURRENCIES.includes(currency))

const routesOf = (owner: Owner, { routes }: IncomingScenario) => {
  const ways: Record<IncomingRoute, boolean> = {
    uma: owner.umaAddress !== null,
    push: inBank(owner).length > 0,
    chain: onChain(owner).length > 0,
    pull: pullable(owner).length > 0,
    book: booked(owner).length > 0,
  }
  return routes.filter((route) => ways[route])
}

const suits = (owner: Owner, scenario: IncomingScenario) =>
  (!scenario.owner || scenario.owner === owner.key) &&
  (!scenario.agent || owner.agentId !== null) &&
  routesOf(owner, scenario).length > 0

/** Every scenario occurs once; the rest are chosen at random. */
export const addIncoming = (world: World, owners: readonly Owner[], count: number) => {
  for (let place = 0; place < count; place += 1) {
    const dice = new Dice(`${world.platform}/incoming/${place}`)
    const scenario = INCOMING_SCENARIOS[place] ?? dice.weigh(INCOMING_SCENARIOS)
    const owner = dice.weigh(owners.filter((candidate) => suits(candidate, scenario)))
    addReceipt(world, dice, `incoming/${place}`, owner, scenario)
  }
}

const addReceipt = (world: World, dice: Dice, name: string, owner: Owner, scenario: IncomingScenario) => {
  const id = world.id(name)
  const route = dice.pick(routesOf(owner, scenario))
  const life = live(world, dice, scenario.steps, {
    openSeconds: scenario.openSeconds,
    plan: scenario.refund,
  })
  const reference = dice.base32(12)
  const { sending, receiving, source, more, pulledFrom } = endsOf(world, dice, owner, route, reference)
  const price = priceOf(sending, receiving, amountFor(dice, owner, sending))
  const isLookUp = !scenario.steps.some(({ to }) => to === 'PENDING')
  const agentId = scenario.agent ? owner.agentId : null

  addTransaction(world, life, {
    id,
    type: 'INCOMING',
    direction: route === 'pull' ? 'DEBIT' : 'CREDIT',
    ...owner.customer,
    ...source,
    ...more,
    ...destinationOf(world, owner, receiving, isLookUp),
    // The amount is not known yet.
    sentAmount: isLookUp ? null : price.send,
    sentCurrency: isLookUp ? null : sending,
    receivedAmount: price.receive,
    receivedCurrency: receiving,
    fees: isLookUp ? null : price.fees,
    exchangeRate: isLookUp || sending === receiving ? null : price.exchangeRate,
    settledAt:
      route === 'pull' && life.status === 'PROCESSING'
        ? expectedSettlement('ACH', life.createdAt)
        : momentOf(life, 'COMPLETED'),
    receiptDeliveryConfirmedAt: receiptOf(dice, life),
    agentId,
    description: dice.chance(70) ? dice.pick(owner.isBusiness ? BUSINESS_NOTES : PRIVATE_NOTES) : null,
    reconciliationReference: life.status === 'CREATED' ? null : reference,
    reconciliationTransactionHash: route === 'uma' && momentOf(life, 'COMPLETED') ? dice.hex(64) : null,
    failureReason: scenario.failure ?? null,
  })
  if (agentId)
    addAction(world, name, life, {
      waits: life.status === 'PENDING',
      agentId,
      customerId: owner.customer.customerId,
      transactionId: id,
      quoteId: null,
      transfer: {
        type: 'TRANSFER_IN',
        amount: price.send,
        currency: sending,
        internalAccountId: internalAccountId(world, owner.key, receiving),
        externalAccountId: pulledFrom ?? null,
      },
    })
}

const receiptOf = (dice: Dice, { status, updatedAt }: Life) =>
  status === 'COMPLETED' && dice.chance(40) ? updatedAt : null

/** After a lookup only the address is known, not the account. */
const destinationOf = (world: World, owner: Owner, currency: CurrencyCode, isLookUp: boolean) =>
  isLookUp
    ? ({
        destinationType: 'UMA_ADDRESS',
        destinationUmaAddress: owner.umaAddress,
        destinationCurrency: currency,
      } as const)
    : ({
        destinationType: 'ACCOUNT',
        destinationInternalAccountId: internalAccountId(world, owner.key, currency),
        destinationCurrency: currency,
      } as const)

const endsOf = (world: World, dice: Dice, owner: Owner, route: IncomingRoute, reference: string): Ends => {
  const { customerId } = owner.customer
  switch (route) {
    case 'uma':
      return fromUmaAddress(dice, owner)
    case 'push': {
      const currency = dice.pick(inBank(owner))
      const sender = dice.pick(CORRESPONDENTS).name
      return same(currency, {
        sourceType: 'REALTIME_FUNDING',
        sourceCustomerId: customerId,
        sourceFunding: bankTransfer(dice, sender, currency, reference),
      })
    }
    case 'chain': {
      const currency = dice.pick(onChain(owner))
      const network = dice.pick(ON_CHAIN[currency] ?? (['SPARK'] as const))
      return same(currency, {
        sourceType: 'REALTIME_FUNDING',
        sourceCustomerId: customerId,
        sourceTransactionHash: transactionHash(dice, network),
        sourceNetwork: network,
      })
    }
    case 'pull': {
      const { id, currency } = dice.pick(pullable(owner))
      const source = { sourceType: 'ACCOUNT', sourceExternalAccountId: id } as const
      return { ...same(currency, { ...source, sourceCustomerId: customerId }), pulledFrom: id }
    }
    case 'book': {
      const currency = dice.pick(booked(owner))
      return same(currency, {
        sourceType: 'ACCOUNT',
        sourceInternalAccountId: internalAccountId(world, PLATFORM, currency),
      })
    }
  }
}

const same = (currency: CurrencyCode, source: Columns): Ends => ({
  sending: currency,
  receiving: currency,
  source: { ...source, sourceCurrency: currency },
})

const fromUmaAddress = (dice: Dice, owner: Owner): Ends => {
  const sender = dice.pick(CORRESPONDENTS)
  const sending = dice.pick(['USD', 'EUR', 'GBP', 'INR', 'MXN'] as const)
  return {
    sending,
    receiving: dice.pick(owner.currencies),
    source: {
      sourceType: 'UMA_ADDRESS',
      sourceUmaAddress: sender.address,
      sourceCurrency: sending,
    },
    more: {
      counterpartyInformation: {
        FULL_NAME: sender.name,
        BIRTH_DATE: sender.born,
        NATIONALITY: sender.country,
      },
    },
  }
}
