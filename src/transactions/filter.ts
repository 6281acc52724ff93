// The filters of transaction lists: parsed once, then turned into conditions (domain reference 4.3).
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { identifier, join, type Sql, sql } from '#core/db.ts'
import { invalidInput } from '#core/errors.ts'
import { idPattern, type Kind, parseId, publicId } from '#core/ids.ts'
import { idOf, instant, labelOf, parse, textOf } from '#core/input.ts'
import {
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from './transaction.ts'

const ACCOUNT_ID = idPattern('InternalAccount', 'ExternalAccount').source
const UMA_ADDRESS = String.raw`^\$[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253}(:\d{1,5})?$`

const accountIdentifier = z
  .string({ error: 'must be a string' })
  .regex(
    new RegExp(`${ACCOUNT_ID}|${UMA_ADDRESS}`),
    'must be InternalAccount:<uuid>, ExternalAccount:<uuid> or a UMA address',
  )

const TransactionFilterInput = z.object({
  customerId: idOf('Customer', 'PlatformConfig').nullish(),
  platformCustomerId: textOf(255).nullish(),
  accountIdentifier: accountIdentifier.nullish(),
  senderAccountIdentifier: accountIdentifier.nullish(),
  receiverAccountIdentifier: accountIdentifier.nullish(),
  status: labelOf(TRANSACTION_STATUSES).nullish(),
  type: labelOf(TRANSACTION_TYPES).nullish(),
  reference: textOf(255).nullish(),
  startDate: instant.nullish(),
  endDate: instant.nullish(),
  itemTypes: z.array(labelOf(TRANSACTION_ITEM_TYPES)).nullish(),
  statuses: z.array(labelOf(TRANSACTION_LIFECYCLE_STATUSES)).nullish(),
  direction: labelOf(TRANSACTION_DIRECTIONS).nullish(),
  agentId: idOf('Agent').nullish(),
})
export type TransactionFilter = z.infer<typeof TransactionFilterInput>

/** 400 `INVALID_INPUT` with the field under `path` when a condition is ill-formed, or the start lies after the end. */
export const parseTransactionFilter = (input: unknown, path: string): TransactionFilter => {
  const filter = parse(TransactionFilterInput, input ?? {}, path)
  if (filter.startDate && filter.endDate && filter.startDate > filter.endDate) {
    const field = path === '' ? 'startDate' : `${path}.startDate`
    throw invalidInput(field, `${field} must not lie after endDate`)
  }
  return filter
}

/** What transactions can belong to, besides the platform. */
export const PARENT_KINDS = ['Customer', 'InternalAccount', 'ExternalAccount', 'Agent', 'Card'] as const
export type ParentKind = (typeof PARENT_KINDS)[number]

/**
 * The condition of the filter as alternatives of which exactly one holds for a matching row, each with an index of its own.
 * With a parent, only what belongs to the row `parentId` is matched.
 */
export const conditionsOf = (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
  parentId: Sql = sql`parent.id`,
): readonly Sql[] => {
  const choices: Sql[][] = [
    [sql`t.platform_id = ${caller.platformId}::uuid and ${join(plainConditions(caller, filter), ' and ')}`],
  ]
  if (parent) choices.push(belongsTo(parent, parentId))
  if (filter.accountIdentifier) choices.push(onEitherSide((side) => atAccount(side, filter.accountIdentifier ?? '')))
  if (filter.reference) {
    choices.push(
      eitherOf(
        sql`t.reconciliation_reference = ${filter.reference}`,
        sql`t.instructions_reference = ${filter.reference}`,
      ),
    )
  }
  choices.push(typeConditions(filter, parent))
  return choices.reduce((alternatives, choice) =>
    alternatives.flatMap((left) => choice.map((right) => sql`${left} and ${right}`)),
  )
}

const plainConditions = (caller: Caller, filter: TransactionFilter): Sql[] => {
  const conditions = [sql`true`]
  if (filter.customerId) conditions.push(ownedBy(caller, filter.customerId))
  if (filter.platformCustomerId) conditions.push(knownAs(caller, filter.platformCustomerId))
  if (filter.senderAccountIdentifier) conditions.push(atAccount('source', filter.senderAccountIdentifier))
  if (filter.receiverAccountIdentifier) conditions.push(atAccount('destination', filter.receiverAccountIdentifier))
  if (filter.status) conditions.push(sql`t.status = ${filter.status}::transaction_lifecycle_status`)
  if (filter.statuses) conditions.push(sql`t.status = any(${filter.statuses}::transaction_lifecycle_status[])`)
  if (filter.startDate) conditions.push(sql`t.created_at >= ${filter.startDate}::timestamptz`)
  if (filter.endDate) conditions.push(sql`t.created_at <= ${filter.endDate}::timestamptz`)
  if (filter.direction) conditions.push(sql`t.direction = ${filter.direction}::transaction_direction`)
  if (filter.agentId) conditions.push(sql`t.agent_id = ${uuidOf(filter.agentId)}::uuid`)
  return conditions
}

export const admittedTypes = ({ type, itemTypes }: TransactionFilter) =>
  TRANSACTION_ITEM_TYPES.filter((item) => (!type || item === type) && (!itemTypes || itemTypes.includes(item)))

/** The indexes of accounts and addresses have the type before the time, so that a type that is rare on one side is found at once. */
const typeConditions = (filter: TransactionFilter, parent: ParentKind | undefined): Sql[] => {
  const { accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier } = filter
  const types = admittedTypes(filter)
  const byAccount =
    accountIdentifier ||
    senderAccountIdentifier ||
    receiverAccountIdentifier ||
    parent === 'InternalAccount' ||
    parent === 'ExternalAccount'
  if (types.length === 0) return [sql`false`]
  if (byAccount || types.length === 1) return types.map((item) => sql`t.type = ${item}::transaction_item_type`)
  return types.length === TRANSACTION_ITEM_TYPES.length
    ? [sql`true`]
    : [sql`t.type = any(${types}::transaction_item_type[])`]
}

const belongsTo = (parent: ParentKind, parentId: Sql): Sql[] => {
  switch (parent) {
    case 'Customer':
      return [sql`t.customer_id = ${parentId}`]
    case 'Agent':
      return [sql`t.agent_id = ${parentId}`]
    case 'Card':
      return [sql`t.card_id = ${parentId}`]
    default:
      return onEitherSide((side) => sql`${accountColumn(side, parent)} = ${parentId}`)
  }
}

type Side = 'source' | 'destination'

const onEitherSide = (at: (side: Side) => Sql) => eitherOf(at('source'), at('destination'))

/** The two conditions as alternatives without overlap. */
const eitherOf = (first: Sql, second: Sql): Sql[] => [first, sql`${second} and (${first}) is not true`]

const ownedBy = (caller: Caller, customerId: string): Sql => {
  const id = parseId(customerId)
  if (id?.kind === 'Customer') return sql`t.customer_id = ${id.uuid}::uuid`
  return isPlatform(caller, customerId) ? sql`t.customer_id is null` : sql`false`
}

const knownAs = (caller: Caller, platformCustomerId: string): Sql =>
  isPlatform(caller, platformCustomerId)
    ? sql`t.customer_id is null`
    : sql`t.platform_customer_id = ${platformCustomerId}`

/** Transactions of the platform itself go by the id of its configuration. */
export const isPlatform = (caller: Caller, id: string) => id === publicId('PlatformConfig', caller.platformId)

/** UMA addresses are compared without regard to case. */
const atAccount = (side: Side, accountIdentifier: string): Sql => {
  const id = parseId(accountIdentifier)
  return id
    ? sql`${accountColumn(side, id.kind)} = ${id.uuid}::uuid`
    : sql`lower(${identifier(`t.${side}_uma_address`)}) = lower(${accountIdentifier})`
}

const accountColumn = (side: Side, kind: Kind) =>
  identifier(`t.${side}_${kind === 'InternalAccount' ? 'internal' : 'external'}_account_id`)

const uuidOf = (id: string) => parseId(id)?.uuid
