// Values that exist both in the source and in the database are the same.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_TYPES } from '#accounts/account-info.ts'
import { EXTERNAL_ACCOUNT_STATUSES, OWNERSHIP_TYPES } from '#accounts/external-account.ts'
import { INTERNAL_ACCOUNT_STATUSES, INTERNAL_ACCOUNT_TYPES } from '#accounts/internal-account.ts'
import { DESTINATION_TYPES, SOURCE_TYPES } from '#accounts/party/party.ts'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import { AGENT_EXECUTION_MODES } from '#agents/agent.ts'
import { CARD_BRANDS, CARD_FORMS, CARD_STATE_REASONS, CARD_STATES } from '#cards/card.ts'
import { AGENT_PERMISSIONS, API_PERMISSIONS, ENVIRONMENTS } from '#core/caller.ts'
import { CURRENCIES } from '#core/codes/currencies.ts'
import { CUSTOMER_TYPES, VERIFICATION_STATUSES } from '#customers/customer.ts'
import { db } from '#database/db.ts'
import { QUOTE_STATUSES } from '#quotes/quote.ts'
import { SCA_PURPOSES } from '#sca/challenge/challenge.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'
import {
  FAILURE_REASONS,
  RAIL_SELECTION_MODES,
  REFUND_REASONS,
  REFUND_STATUSES,
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
} from '#transactions/transaction.ts'

it('the database knows the currencies of the source and no others', async () => {
  const [row] = await db.$queryRaw<{ codes: string[] }[]>`
    select array_agg(code) as codes from (
      select distinct code[1] as code from regexp_matches(pg_get_functiondef('is_currency'::regproc), '''([A-Z]+)''', 'g') code
    ) named where is_currency(code)`
  expect(row?.codes.toSorted()).toEqual([...CURRENCIES.keys()].toSorted())
  expect(CURRENCIES.size).toBe(42)
})

describe('an enum of the database has the values of the source, in the same order', () => {
  it.each(
    Object.entries({
      account_type: ACCOUNT_TYPES,
      agent_execution_mode: AGENT_EXECUTION_MODES,
      agent_permission: AGENT_PERMISSIONS,
      api_permission: API_PERMISSIONS,
      card_brand: CARD_BRANDS,
      card_form: CARD_FORMS,
      card_state: CARD_STATES,
      card_state_reason: CARD_STATE_REASONS,
      customer_type: CUSTOMER_TYPES,
      destination_type: DESTINATION_TYPES,
      environment: ENVIRONMENTS,
      account_ownership_type: OWNERSHIP_TYPES,
      external_account_status: EXTERNAL_ACCOUNT_STATUSES,
      internal_account_status: INTERNAL_ACCOUNT_STATUSES,
      internal_account_type: INTERNAL_ACCOUNT_TYPES,
      payment_rail: PAYMENT_RAILS,
      quote_status: QUOTE_STATUSES,
      rail_selection_mode: RAIL_SELECTION_MODES,
      refund_reason: REFUND_REASONS,
      refund_status: REFUND_STATUSES,
      sca_factor: SCA_FACTORS,
      sca_purpose: SCA_PURPOSES,
      source_type: SOURCE_TYPES,
      transaction_direction: TRANSACTION_DIRECTIONS,
      transaction_failure_reason: FAILURE_REASONS,
      transaction_item_type: TRANSACTION_ITEM_TYPES,
      transaction_lifecycle_status: TRANSACTION_LIFECYCLE_STATUSES,
      verification_status: VERIFICATION_STATUSES,
    }),
  )('%s', async (name, labels) => {
    expect(await labelsOf(name)).toEqual(labels)
  })
})

const labelsOf = async (name: string) => {
  const rows = await db.$queryRaw<{ label: string }[]>`
    select enumlabel as label from pg_enum join pg_type on pg_type.oid = enumtypid where typname = ${name} order by enumsortorder`
  return rows.map(({ label }) => label)
}

describe('the Prisma models and the migrated database agree', () => {
  const models = blocksOf('model')
  const enums = new Map(blocksOf('enum').map(({ name, table, lines }) => [name, { table, labels: lines }]))

  it.each([...enums.values()].map(({ table, labels }) => [table, labels] as const))(
    'on the enum %s',
    async (name, labels) => {
      expect(await labelsOf(name)).toEqual(labels)
    },
  )

  it.each(models.map(({ table, lines }) => [table, lines] as const))('on the columns of %s', async (table, lines) => {
    const isModel = (type: string) => models.some(({ name }) => name === type)
    const expected = lines.flatMap((line) => {
      const [, name = '', type = '', modifier = ''] = /^(\w+)\s+(\w+)(\?|\[\])?/.exec(line) ?? []
      if (isModel(type)) return []
      const column = /@map\("(\w+)"\)/.exec(line)?.[1] ?? name
      const native = NATIVE_TYPES[/@db\.(\w+)/.exec(line)?.[1] ?? type] ?? enums.get(type)?.table ?? type
      return [`${column} ${modifier === '[]' ? `_${native}` : native}${modifier === '?' ? ' null' : ''}`]
    })
    const rows = await db.$queryRaw<{ column: string }[]>`
      select concat(column_name, ' ', udt_name, case is_nullable when 'YES' then ' null' end) as column
      from information_schema.columns where table_schema = 'public' and table_name = ${table}`
    expect(rows.map(({ column }) => column).toSorted()).toEqual(expected.toSorted())
  })
})

/** The Postgres names of Prisma's types. */
const NATIVE_TYPES: Record<string, string> = {
  String: 'text',
  Uuid: 'uuid',
  Char: 'bpchar',
  Date: 'date',
  Int: 'int4',
  SmallInt: 'int2',
  BigInt: 'int8',
  Decimal: 'numeric',
  Boolean: 'bool',
  Bytes: 'bytea',
  Json: 'jsonb',
  Timestamptz: 'timestamptz',
}

/** The models or enums of schema.prisma with their lines, without comments and block attributes. */
function blocksOf(kind: 'model' | 'enum') {
  const text = readFileSync(new URL('../../schema.prisma', import.meta.url), 'utf8')
  return [...text.matchAll(new RegExp(`^${kind} (\\w+) {\\n(.*?)^}`, 'gms'))].map(([, name = '', body = '']) => ({
    name,
    table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
    lines: body
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^\w/.test(line)),
  }))
}
