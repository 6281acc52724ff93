import { z } from 'zod'
import { textOf } from '#core/input.ts'
import { creationAndChangeRanges, inOrder } from '#core/time-filters.ts'
import { sql } from '#database/db.ts'
import { isWithin, recordList, when } from '#database/record-list.ts'
import { ApiTokenRecord } from './token.ts'

export const ApiTokenFilterInput = z
  .object({
    name: textOf(255).nullish().describe('The exact name.'),
    ...creationAndChangeRanges,
  })
  .refine(...inOrder('createdAfter', 'createdBefore'))
  .refine(...inOrder('updatedAfter', 'updatedBefore'))

/** The conditions that REST offers. */
export const API_TOKEN_PARAMETERS = ['name', 'createdAfter', 'createdBefore', 'updatedAfter', 'updatedBefore'] as const

export const apiTokenList = recordList(ApiTokenRecord, {
  name: 'apiTokens',
  filter: ApiTokenFilterInput,
  matches: (filter) => [
    ...when(filter.name, (name) => sql`t.name = ${name}`),
    ...isWithin('created_at', filter.createdAfter, filter.createdBefore),
    ...isWithin('updated_at', filter.updatedAfter, filter.updatedBefore),
  ],
})
