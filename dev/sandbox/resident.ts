import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from './client.ts'
import { POLICY } from './policy.ts'

const FIRST = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan', 'Katherine', 'Donald', 'Radia', 'Linus', 'Margaret']
const LAST = ['Lovelace', 'Hopper', 'Dijkstra', 'Liskov', 'Turing', 'Johnson', 'Knuth', 'Perlman', 'Hamilton', 'Backus']

export const pick = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T

/** A customer with an account, and the parties that it pays, all by public id. */
export interface Resident {
  readonly customerId: string
  readonly account: string
  readonly umaAddress: string
  /** Its own bank account, which can be debited. */
  readonly bank: string
  /** Bank accounts that it pays. The sandbox treats each of them in a different way. */
  readonly payees: readonly string[]
  /** A bank account that a payment takes minutes to reach. */
  readonly slowPayee: string
  /** Draws on the account. */
  readonly card: string
  /** Acts for the customer, and asks before it pays large amounts. */
  readonly agent?: Agent | undefined
}

export interface Agent {
  readonly id: string
  readonly call: Call
}

/** Most payments arrive; some fail, come back late, or are returned. */
const PAYEE_ENDINGS = ['199', '198', '197', '196', '002', '004', '005', '006']

/** The sandbox does not let an account whose id has such an ending fund a card. */
const FUNDS_NO_CARD = /00[23]$/

/** `clientOf` makes a client with the access token of an agent. Without it the resident has no agent. */
export const createResident = async (call: Call, clientOf?: (accessToken: string) => Call): Promise<Resident> => {
  const fullName = `${pick(FIRST)} ${pick(LAST)}`
  const customer = await call('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName,
    birthDate: `19${randomInt(50, 99)}-0${randomInt(1, 9)}-1${randomInt(9)}`,
    nationality: 'US',
    taxIdType: 'SSN',
    taxIdCountryOfIssuance: 'US',
    taxIdentifier: '078051120',
    currencies: ['USD'],
    address: {
      line1: `${randomInt(1, 999)} Market Street`,
      city: 'San Francisco',
      state: 'CA',
      postalCode: '94105',
      country: 'US',
    },
  })
  const { data } = await call('GET', `/customers/internal-accounts?customerId=${customer.id}&currency=USD`)
  const account = data.find(({ type }: { type: string }) => type === 'INTERNAL_FIAT').id
  if (FUNDS_NO_CARD.test(account)) return createResident(call, clientOf)
  await call('POST', `/sandbox/internal-accounts/${account}/fund`, { amount: randomInt(100_000, 1_000_000) })
  const addBank = async (ending: string, beneficiary: object) => {
    const accountInfo = {
      accountType: 'USD_ACCOUNT',
      accountNumber: `${randomInt(1_000_000, 9_999_999)}${ending}`,
      routingNumber: '021000021',
      beneficiary,
    }
    return (
      await call('POST', '/customers/external-accounts', { customerId: customer.id, currency: 'USD', accountInfo })
    ).id
  }
  const payees: string[] = []
  for (const ending of PAYEE_ENDINGS) {
    const legalName = `${pick(LAST)} Supplies`
    payees.push(await addBank(ending, { beneficiaryType: 'BUSINESS', legalName }))
  }
  const card = await orderCard(call, { customerId: customer.id, account }, 'main')
  await becomesActive(call, card)
  return {
    card,
    agent: clientOf && (await createAgent(call, customer.id, clientOf)),
    customerId: customer.id,
    account,
    umaAddress: customer.umaAddress,
    bank: await addBank('199', { beneficiaryType: 'INDIVIDUAL', fullName }),
    payees,
    slowPayee: await addBank('003', { beneficiaryType: 'BUSINESS', legalName: 'Slow Supplies' }),
  }
}

/** `name` may end in a magic value. Returns the id of the card, which the issuer has not decided about yet. */
export const orderCard = async (
  call: Call,
  { customerId, account }: Pick<Resident, 'customerId' | 'account'>,
  name: string,
): Promise<string> => {
  const order = { cardholderId: customerId, form: 'VIRTUAL', fundingSources: [account], platformCardId: `card-${name}` }
  return (await call('POST', '/cards', order)).id
}

const EVERY_MS = 200
const MOST_TIMES = 100

const becomesActive = async (call: Call, card: string) => {
  for (let times = 0; times < MOST_TIMES; times += 1) {
    if ((await call('GET', `/cards/${card}`)).state === 'ACTIVE') return
    await wait(EVERY_MS)
  }
  throw new Error(`The card ${card} was not issued`)
}

/** Undefined if too many device codes were redeemed in the last minute. */
const createAgent = async (
  call: Call,
  customerId: string,
  clientOf: (accessToken: string) => Call,
): Promise<Agent | undefined> => {
  const { agent, deviceCode } = await call('POST', '/agents', {
    name: 'Household assistant',
    customerId,
    policy: POLICY,
  })
  try {
    const { accessToken } = await call('POST', `/agents/device-codes/${deviceCode.code}/redeem`)
    return { id: agent.id, call: clientOf(accessToken) }
  } catch (error) {
    if (String(error).includes('RATE_LIMITED')) return undefined
    throw error
  }
}
