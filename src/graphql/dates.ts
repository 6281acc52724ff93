import { CREATED_FROM as FROM, CREATED_UNTIL as UNTIL } from '#core/time-filters.ts'

// Only for transactions/graphql-filter.ts. Other files import the texts themselves.
export const CREATED_FROM = FROM
export const CREATED_UNTIL = UNTIL
