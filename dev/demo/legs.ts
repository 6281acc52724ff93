// The source and the destination of an outgoing payment.
import type { PaymentRail } from '#generated/prisma/client.ts'
import { type ExternalType, formOf, paymentInstructions } from './account-info.ts'
import { internalAccountId } from './accounts.ts'
import type { Dice } from './dice.ts'
import type { Payee } from './external-accounts.ts'
import { transactionHash } from './on-chain.ts'
import type { OutgoingRoute, OutgoingScenario } from './outgoing-scenarios.ts'
import type { Owner } from './owners.ts'
import type { CurrencyCode } from './rates.ts'
import { CORRESPONDENTS, type Correspondent, SENDER_BANKS } from './words.ts'
import type { TransactionRow, World } from './world.ts'

type Columns = Partial<TransactionRow>

export type Ends = {
  sending: CurrencyCode
  receiving: CurrencyCode
  destination: Columns & { destinationType: 'ACCOUNT' | 'UMA_ADDRESS' }
  payee?: Payee
  correspondent?: Correspondent
}

type Source = Columns & {
  sourceType: 'ACCOUNT' | 'REALTIME_FUNDING'
  sourceInternalAccountId?: string
}

/** The account type that receives real-time funding. */
const FUNDING: Partial<Record<CurrencyCode, ExternalType>> = {
  USD: 'USD_ACCOUNT',
  EUR: 'EUR_ACCOUNT',
  GBP: 'GBP_ACCOUNT',
  MXN: 'MXN_ACCOUNT',
  NGN: 'NGN_ACCOUNT',
  SGD: 'SGD_ACCOUNT',
  DKK: 'DKK_ACCOUNT',
  USDC: 'BASE_WALLET',
}

/** Agents need the owner's stamp to pay from a wallet, which the demo does not have. */
const spendable = ({ currencies }: Owner, { agent }: OutgoingScenario) =>
  currencies.filter((currency) => !agent || currency !== 'USDB')

const fundable = (owner: Owner) => owner.currencies.filter((currency) => FUNDING[currency])

/** The accounts that the owner can send to in this scenario. */
const payeesFor = (owner: Owner, scenario: OutgoingScenario) => {
  const { cancelled, transfer } = scenario
  const currencies = spendable(owner, scenario)
  return owner.payees.filter(
    ({ type, currency }) =>
      (!cancelled || type === 'USD_ACCOUNT') && (!(cancelled || transfer) || currencies.includes(currency)),
  )
}

const offers = (owner: Owner, route: OutgoingRoute, scenario: OutgoingScenario) => {
  const canPayOut = payeesFor(owner, scenario).length > 0
  const ways = {
    payout: canPayOut,
    conversion: owner.currencies.length > 1,
    uma: owner.umaAddress !== null,
    funded: canPayOut && fundable(owner).length > 0,
  }
  return ways[route]
}

export const routesOf = (owner: Owner, scenario: OutgoingScenario) =>
  scenario.routes.filter((route) => offers(owner, route, scenario))

export const suits = (owner: Owner, scenario: OutgoingScenario) =>
  (!scenario.owner || scenario.owner === owner.key) &&
  (!scenario.sca || owner.needsSca) &&
  (!scenario.agent || owner.agentId !== null) &&
  routesOf(owner, scenario).length > 0

export const endsOf = (
  world: World,
  dice: Dice,
  owner: Owner,
  route: OutgoingRoute,
  scenario: OutgoingScenario,
): Ends => {
  if (route === 'uma') return toUmaAddress(dice, owner)
  if (route === 'conversion') return toOwnAccount(world, dice, owner, scenario)
  const payee = dice.pick(payeesFor(owner, scenario))
  const { currency } = payee
  const isTransfer = scenario.transfer || scenario.cancelled || dice.chance(45)
  const sending =
    route === 'funded'
      ? dice.pick(fundable(owner))
      : isTransfer && spendable(owner, scenario).includes(currency)
        ? currency
        : dice.pick(spendable(owner, scenario))
  return {
    sending,
    receiving: currency,
    payee,
    destination: {
      destinationType: 'ACCOUNT',
      destinationExternalAccountId: payee.id,
      destinationCurrency: currency,
    },
  }
}

const toUmaAddress = (dice: Dice, owner: Owner): Ends => {
  const correspondent = dice.pick(CORRESPONDENTS)
  const receiving = dice.pick(['EUR', 'USD', 'GBP', 'MXN', 'INR', 'NGN'] as const)
  return {
    sending: dice.pick(owner.currencies),
    receiving,
    correspondent,
    destination: {
      destinationType: 'UMA_ADDRESS',
      destinationUmaAddress: correspondent.address,
      destinationCurrency: receiving,
    },
  }
}

const toOwnAccount = (world: World, dice: Dice, owner: Owner, scenario: OutgoingScenario): Ends => {
  const sending = dice.pick(spendable(owner, scenario))
  const receiving = dice.pick(owner.currencies.filter((currency) => currency !== sending))
  return {
    sending,
    receiving,
    destination: {
      destinationType: 'ACCOUNT',
      destinationInternalAccountId: internalAccountId(world, owner.key, receiving),
      destinationCurrency: receiving,
    },
  }
}

/** The payment rail of a bank account. The platform chooses it (`isManual`), or the service takes the first one. */
export const railOf = (
  dice: Dice,
  payee: Payee | undefined,
  scenario: OutgoingScenario,
  isManual: boolean,
): PaymentRail | null => {
  const rails = payee ? formOf(payee.type).rails : []
  if (rails.length === 0) return null
  if (scenario.cancelled) return dice.pick(['ACH', 'WIRE'] as const)
  const instant = ['RTP', 'SEPA_INSTANT'] as const
  return isManual ? dice.pick(rails) : (instant.find((rail) => rails.includes(rail)) ?? rails[0] ?? null)
}

export const fundingInstructions = (dice: Dice, currency: CurrencyCode, reference: string) =>
  paymentInstructions(FUNDING[currency] ?? 'USD_ACCOUNT', dice, reference)

/** Payments from a wallet need its owner's signature or use Spark. */
export const walletInstructions = (dice: Dice, world: World, accountId: string) => [
  {
    accountOrWalletInfo: {
      accountType: 'EMBEDDED_WALLET',
      payloadToSign: JSON.stringify({
        organizationId: accountId,
        timestampMs: String(world.now.getTime()),
        type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
      }),
    },
  },
  {
    accountOrWalletInfo: {
      accountType: 'SPARK_WALLET',
      assetType: 'USDB',
      address: `spark1p${dice.base32(56).toLowerCase()}`,
      invoice: `lnbc1${dice.base32(72).toLowerCase()}`,
    },
  },
]

export const sourceOf = (
  world: World,
  dice: Dice,
  owner: Owner,
  { sending }: Ends,
  funding: { reference: string; hasArrived: boolean } | null,
): Source => {
  const common = { sourceCurrency: sending, sourceCustomerId: owner.customer.customerId }
  if (!funding)
    return {
      ...common,
      sourceType: 'ACCOUNT',
      sourceInternalAccountId: internalAccountId(world, owner.key, sending),
    }
  const arrival = funding.hasArrived
    ? sending === 'USDC'
      ? onChain(dice)
      : { sourceFunding: bankTransfer(dice, owner.name, sending, funding.reference) }
    : {}
  return { ...common, sourceType: 'REALTIME_FUNDING', ...arrival }
}

const onChain = (dice: Dice) =>
  ({ sourceTransactionHash: transactionHash(dice, 'BASE'), sourceNetwork: 'BASE' }) as const

/** Funding details from the sender's bank. */
export const bankTransfer = (dice: Dice, accountHolderName: string, currency: CurrencyCode, reference: string) => {
  const [bankName, bankIdentifier] = dice.pick(SENDER_BANKS)
  const rails = formOf(FUNDING[currency] ?? 'USD_ACCOUNT').rails
  return {
    accountHolderName,
    accountIdentifier: `••••${dice.digits(4)}`,
    bankName,
    bankIdentifier,
    paymentRail: dice.pick(rails),
    remittanceInformation: reference,
    endToEndId: `E2E${dice.base32(16)}`,
    traceNumber: dice.digits(15),
  }
}
