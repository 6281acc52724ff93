// The types and statuses of transactions that a filter admits, and their conditions in SQL.
import type { Caller } from '#core/caller.ts'
import { parseId } from '#core/ids.ts'
import { nothing, type Sql, sql } from '#database/db.ts'
import {
  CARD_TRANSACTION_STATUSES,
  OUTGOING_TRANSACTION_STATUSES,
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
  TRANSACTION_STATUSES,
  type TransactionItemType,
} from '#transactions/transaction.ts'
import type { TransactionFilter } from './filter.ts'

/** The kinds of parents, besides the platform, whose transactions can be listed. */
export type ParentKind = 'Customer' | 'InternalAccount' | 'ExternalAccount' | 'Agent' | 'Card'

export const isAccount = (parent: ParentKind | undefined): parent is 'InternalAccount' | 'ExternalAccount' =>
  parent === 'InternalAccount' || parent === 'ExternalAccount'

export const partiesIn = ({
  accountIdentifier,
  senderAccountIdentifier,
  receiverAccountIdentifier,
}: TransactionFilter) =>
  [accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier].filter((party) => typeof party === 'string')

/** The statuses of each type. CHECK constraints ensure that a type has no others. */
const STATUSES_OF: Record<TransactionItemType, readonly string[]> = {
  INCOMING: TRANSACTION_STATUSES,
  OUTGOING: OUTGOING_TRANSACTION_STATUSES,
  CARD: CARD_TRANSACTION_STATUSES,
}

/** Whether the list is of what an account or a UMA address sent or received. Each type has its own range of an index then. */
export const isByParty = (filter: TransactionFilter, parent?: ParentKind): boolean =>
  partiesIn(filter).length > 0 || isAccount(parent)

const isOfCard = ({ cardId }: TransactionFilter, parent?: ParentKind) => Boolean(cardId) || parent === 'Card'

/** Card transactions have no agent, external account or UMA address. A CHECK constraint ensures it, and that no others have a card. */
const isOfPayments = (filter: TransactionFilter, parent?: ParentKind) =>
  Boolean(filter.agentId) ||
  parent === 'Agent' ||
  parent === 'ExternalAccount' ||
  partiesIn(filter).some((party) => parseId(party)?.kind !== 'InternalAccount')

/** The types of the filter that may have matching rows. Looking for one that has none would read the whole list. */
export const admittedTypes = (filter: TransactionFilter, parent?: ParentKind) => {
  const { types, statuses } = filter
  const isCard = isOfCard(filter, parent)
  const isPayment = isOfPayments(filter, parent)
  return (types ?? TRANSACTION_ITEM_TYPES).filter(
    (item) =>
      !(item === 'CARD' ? isPayment : isCard) &&
      (!statuses || statuses.some((status) => STATUSES_OF[item].includes(status))),
  )
}

/**
 * The conditions for type, direction and status: of each choice exactly one condition holds for a matching row. `types` are the admitted
 * ones. The indexes of texts have the time before all of these, so there is one condition for each.
 */
export const kindChoices = (
  caller: Caller,
  filter: TransactionFilter,
  types: readonly TransactionItemType[],
  isByText: boolean,
  parent?: ParentKind,
): readonly (readonly Sql[])[] => {
  if (isByText)
    return [typeConditions(filter, types, false, isOfCard(filter, parent)), statusConditions(filter, types, true)]
  const byParty = isByParty(filter, parent)
  const kinds = isOfPlatform(caller, filter, parent) && kindConditions(filter, types)
  return [
    kinds || typeConditions(filter, types, byParty, isOfCard(filter, parent)),
    statusConditions(filter, types, byParty),
  ]
}

/** Whether the list is the platform's whole list, filtered only by kind, status and time. */
const isOfPlatform = (caller: Caller, filter: TransactionFilter, parent?: ParentKind) => {
  const { types, direction, statuses, startDate, endDate, ...others } = filter
  return caller.scheme === 'PLATFORM' && !parent && !Object.values(others).some(isGiven)
}

/**
 * One range for each type and direction: a platform may lack any of them, and its list would be read to the end to find no such row.
 * Undefined if the filter admits every kind. Also undefined if it admits only rare statuses, which have their own index.
 */
const kindConditions = (filter: TransactionFilter, types: readonly TransactionItemType[]): Sql[] | undefined => {
  const isEveryKind = types.length === TRANSACTION_ITEM_TYPES.length && !filter.direction
  if (isEveryKind || areRare(statusesOf(filter, types))) return undefined
  const ofTypes = types.map((item) => sql`t.type = ${item}::transaction_item_type`)
  if (filter.direction) return ofTypes
  return ofTypes.flatMap((ofType) =>
    TRANSACTION_DIRECTIONS.map((direction) => sql`${ofType} and t.direction = ${direction}::transaction_direction`),
  )
}

/**
 * The indexes of parties have the type before the time, so that a type that is rare on one side is found at once. That of cards has no
 * type, because a card implies it.
 */
const typeConditions = (
  filter: TransactionFilter,
  types: readonly TransactionItemType[],
  isByParty: boolean,
  isByCard: boolean,
): Sql[] => {
  if (isByCard && !isByParty) return [sql`true`]
  if (isByParty || types.length === 1) return types.map((item) => sql`t.type = ${item}::transaction_item_type`)
  return filter.types ? [sql`t.type = any(${types}::transaction_item_type[])`] : [sql`true`]
}

/** Open payments are listed under one status, so that a payment that starts changes no index. */
const OPEN_STATUSES: readonly string[] = ['CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING']

const listedStatus = (status: string) => (OPEN_STATUSES.includes(status) ? 'PENDING' : status)

/** Rare statuses have an index that begins with the listed status: one range of it for each. The common ones are found soon in any order. */
const statusConditions = (
  filter: TransactionFilter,
  types: readonly TransactionItemType[],
  isByParty: boolean,
): Sql[] => {
  if (!filter.statuses) return [sql`true`]
  const statuses = statusesOf(filter, types)
  const listed = [...new Set(statuses.map(listedStatus))]
  const isOne = listed.includes('PENDING')
    ? sql` and t.status = any(${statuses}::transaction_lifecycle_status[])`
    : nothing
  return listed.length === 1 || (areRare(statuses) && !isByParty)
    ? listed.map((status) => sql`t.listed_status = ${status}::transaction_lifecycle_status${isOne}`)
    : [sql`t.listed_status = any(${listed}::transaction_lifecycle_status[])${isOne}`]
}

/** The condition of a filter by open statuses, which no index tells apart. Undefined if the filter has none of them. */
export const openStatusCondition = (
  filter: TransactionFilter,
  types: readonly TransactionItemType[],
): Sql | undefined =>
  filter.statuses && statusesOf(filter, types).some((status) => OPEN_STATUSES.includes(status))
    ? statusConditions(filter, types, true)[0]
    : undefined

const statusesOf = (filter: TransactionFilter, types: readonly TransactionItemType[]) =>
  (filter.statuses ?? TRANSACTION_LIFECYCLE_STATUSES).filter((status) =>
    types.some((item) => STATUSES_OF[item].includes(status)),
  )

const areRare = (statuses: readonly string[]) =>
  !statuses.some((status) => status === 'COMPLETED' || status === 'SETTLED')

const isGiven = (value: unknown) => value !== null && value !== undefined
