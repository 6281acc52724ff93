import { z } from 'zod'
import { anyOf, idOf, textOf } from '#core/input.ts'
import { creationRange, inOrder } from '#core/time-filters.ts'
import { sql } from '#database/db.ts'
import { isOneOf, isWithin, recordList, refersTo, when } from '#database/record-list.ts'
import { QUOTE_STATUSES, QuoteRecord } from './quote.ts'

export const QuoteFilterInput = z
  .object({
    customerId: idOf('Customer').nullish().describe('Quotes of this customer.'),
    agentId: idOf('Agent').nullish().describe('Quotes that this agent created.'),
    statuses: anyOf(QUOTE_STATUSES).describe('Only quotes with any of these statuses. An empty list means no filter.'),
    sendingCurrency: textOf(16).nullish().describe('Exact code of the sending currency.'),
    receivingCurrency: textOf(16).nullish().describe('Exact code of the receiving currency.'),
    ...creationRange,
  })
  .refine(...inOrder('startDate', 'endDate'))

export const quoteList = recordList(QuoteRecord, {
  name: 'quotes',
  filter: QuoteFilterInput,
  matches: ({ customerId, agentId, statuses, sendingCurrency, receivingCurrency, startDate, endDate }) => [
    ...refersTo('customer_id', customerId),
    ...refersTo('agent_id', agentId),
    ...isOneOf('status', 'quote_status', statuses),
    ...when(sendingCurrency, (code) => sql`t.sending_currency = ${code}`),
    ...when(receivingCurrency, (code) => sql`t.receiving_currency = ${code}`),
    ...isWithin('created_at', startDate, endDate),
  ],
  parents: { Customer: 'customer_id', Agent: 'agent_id' },
})
