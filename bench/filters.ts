// Cases for every transaction filter: values that match many rows, rare values, and values with a handful of matches.
import type { TransactionFilter } from '#transactions/list/filter.ts'

/** A filter with one or two fields. */
export interface Case {
  readonly name: string
  readonly filter: TransactionFilter
}

/** The first value that the statement returns for the platform. */
export type Find = (statement: string) => Promise<string>

const busiest = (column: string, from = 'transactions') =>
  `select ${column} from ${from} where platform_id = $1 and ${column} is not null group by 1 order by count(*) desc, 1 limit 1`

/** Picks the value nearest to 60 rows, which is a full page of 50 and a little more, at any table size. */
const seldom = (column: string) =>
  `select ${column} from transactions where platform_id = $1 and ${column} is not null group by 1 order by abs(count(*) - 60), 1 limit 1`

/** An amount beyond which there are ten rows. */
const tenth = (currency: string, order: 'asc' | 'desc') =>
  `select headline_amount from transactions where platform_id = $1 and headline_currency = '${currency}'
   order by headline_amount ${order} offset 9 limit 1`

const lastly = (column: string) =>
  `select ${column} from transactions where platform_id = $1 and ${column} is not null order by created_at desc, id desc limit 1`

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

export const singleFilters = async (find: Find): Promise<readonly Case[]> => {
  const customer = await find(busiest('customer_id'))
  const seldomCustomer = await find(seldom('customer_id'))
  const sender = `InternalAccount:${await find(busiest('source_internal_account_id'))}`
  const receiver = `InternalAccount:${await find(busiest('destination_internal_account_id'))}`
  const seldomAccount = `InternalAccount:${await find(seldom('source_internal_account_id'))}`
  const payee = `ExternalAccount:${await find(busiest('destination_external_account_id'))}`
  const payer = `ExternalAccount:${await find(busiest('source_external_account_id'))}`
  const address = await find(busiest('destination_uma_address'))

  const currency = await find(busiest('headline_currency'))
  const rareCurrency = await find(seldom('headline_currency'))
  const greatest = tenth(currency, 'desc')
  const least = tenth(currency, 'asc')

  const values: readonly [name: string, filter: TransactionFilter][] = [
    ['customerId, busy', { customerId: `Customer:${customer}` }],
    ['customerId, seldom', { customerId: `Customer:${seldomCustomer}` }],
    ['platformCustomerId, busy', { platformCustomerId: await find(busiest('platform_customer_id')) }],
    ['platformCustomerId, seldom', { platformCustomerId: await find(seldom('platform_customer_id')) }],
    ['accountIdentifier, internal', { accountIdentifier: sender }],
    ['accountIdentifier, seldom', { accountIdentifier: seldomAccount }],
    ['accountIdentifier, external', { accountIdentifier: payee }],
    ['accountIdentifier, address', { accountIdentifier: address }],
    ['senderAccountIdentifier, internal', { senderAccountIdentifier: sender }],
    ['senderAccountIdentifier, external', { senderAccountIdentifier: payer }],
    ['senderAccountIdentifier, address', { senderAccountIdentifier: address }],
    ['receiverAccountIdentifier, internal', { receiverAccountIdentifier: receiver }],
    ['receiverAccountIdentifier, external', { receiverAccountIdentifier: payee }],
    ['receiverAccountIdentifier, address', { receiverAccountIdentifier: address }],
    ['reference, payment', { reference: await find(lastly('reconciliation_reference')) }],
    ['reference, instructions', { reference: await find(lastly('instructions_reference')) }],
    ['startDate, a year ago', { startDate: daysAgo(365) }],
    ['endDate, a year ago', { endDate: daysAgo(365) }],
    ['types, incoming', { types: ['INCOMING'] }],
    ['types, outgoing', { types: ['OUTGOING'] }],
    ['types, card', { types: ['CARD'] }],
    ['types, two', { types: ['INCOMING', 'CARD'] }],
    ['statuses, one common', { statuses: ['COMPLETED'] }],
    ['statuses, one rare', { statuses: ['REJECTED'] }],
    ['statuses, common', { statuses: ['COMPLETED', 'SETTLED'] }],
    ['statuses, rare', { statuses: ['EXCEPTION', 'EXPIRED', 'PROCESSING'] }],
    ['direction, credit', { direction: 'CREDIT' }],
    ['direction, debit', { direction: 'DEBIT' }],
    ['agentId', { agentId: `Agent:${await find(busiest('agent_id'))}` }],
    ['cardId', { cardId: `Card:${await find(busiest('card_id'))}` }],
    ['currency, common', { currency }],
    ['currency, rare', { currency: rareCurrency }],
    ['minAmount, common', { minAmount: 100, currency }],
    ['minAmount, rare', { minAmount: Number(await find(greatest)), currency }],
    ['maxAmount, rare', { maxAmount: Number(await find(least)), currency }],
    ['search, common', { search: (await find(busiest('description'))).slice(0, 6) }],
    ['search, merchant', { search: await find(busiest('merchant_descriptor')) }],
    ['search, counterparty', { search: await find(seldom('searched_counterparty')) }],
    ['search, nothing', { search: 'no such text' }],
  ]
  return values.map(([name, filter]) => ({ name, filter }))
}

export const pairsOf = (singles: readonly Case[]): readonly Case[] =>
  singles.flatMap((first, place) =>
    singles
      .slice(place + 1)
      .filter((second) => fieldOf(second) !== fieldOf(first))
      .map((second) => ({
        name: `${first.name} + ${second.name}`,
        filter: { ...first.filter, ...second.filter },
      })),
  )

const fieldOf = ({ filter }: Case) => Object.keys(filter)[0]
