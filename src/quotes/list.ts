import { z } from 'zod'
import { parseId } from '#core/ids.ts'
import { anyOf, idOf, inOrder, rangeEnd, rangeStart, textOf } from '#core/input.ts'
import { sql } from '#database/db.ts'
import { isOneOf, isWithin, recordList, when } from '#database/record-list.ts'
import { QUOTE_STATUSES, QuoteRecord } from './quote.ts'

const QuoteFilterInput = z
  .object({
    customerId: idOf('Customer').nullish(),
    agentId: idOf('Agent').nullish(),
    statuses: anyOf(QUOTE_STATUSES),
    sendingCurrency: textOf(16).nullish(),
    receivingCurrency: textOf(16).nullish(),
    startDate: rangeStart.nullish(),
    endDate: rangeEnd.nullish(),
  })
  .refine(...inOrder('startDate', 'endDate'))

export const quoteList = recordList(QuoteRecord, {
  name: 'quotes',
  filter: QuoteFilterInput,
  matches: ({ customerId, agentId, statuses, sendingCurrency, receivingCurrency, startDate, endDate }) => [
    ...when(customerId, (id) => sql`t.customer_id = ${parseId(id)?.uuid}::uuid`),
    ...when(agentId, (id) => sql`t.agent_id = ${parseId(id)?.uuid}::uuid`),
    ...isOneOf('status', 'quote_status', statuses),
    ...when(sendingCurrency, (code) => sql`t.sending_currency = ${code}`),
    ...when(receivingCurrency, (code) => sql`t.receiving_currency = ${code}`),
    ...isWithin('created_at', startDate, endDate),
  ],
})
