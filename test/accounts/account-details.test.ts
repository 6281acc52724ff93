// The details of an account: each account type has its own GraphQL type, with the fields that the page lists.
import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLObjectType, isNonNullType } from 'graphql'
import { beforeAll, expect, it } from 'vitest'
import { ACCOUNT_TYPES, type AccountType } from '#accounts/account-info.ts'
import { publicId } from '#core/ids.ts'
import { ask } from '#test/setup/faces.ts'
import { createExternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

const schema = buildSchema(readFileSync('src/graphql/schema.graphql', 'utf8'))
const nameOf = (type: AccountType) =>
  `${type
    .split('_')
    .map((word) => word[0] + word.slice(1).toLowerCase())
    .join('')}Info`
const fieldsOf = (type: AccountType) => (schema.getType(nameOf(type)) as GraphQLObjectType).getFields()

/** The short forms of the page. */
const SHORT: Readonly<Record<string, string>> = {
  n: 'accountNumber',
  b: 'bankName',
  kind: 'bankAccountType',
  bic: 'swiftCode',
  phone: 'phoneNumber',
}

const PAGE = 'docs/domain/account-types.md#table-of-account-types'
const page = readFileSync(PAGE.replace(/#.*/, ''), 'utf8')
const rowsBelow = (heading: string) =>
  (page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.replaceAll(/`[^`]*`/g, '').split('|'))

/** `b*, n or iban` as `bankName*`, `accountNumber`, `iban`. Words that no account type knows explain the others. */
const fieldsIn = (cell: string) =>
  cell
    .replace(/individual:.*/, '')
    .replace('mm', 'phone*, provider*')
    .split(/,|;| or | with | of /)
    .flatMap((part) => {
      const [, name = '', star = ''] = /^(\w+)(\*?)/.exec(part.trim()) ?? []
      return name === '' ? [] : [`${SHORT[name] ?? name}${star}`]
    })
    .filter((field) => known.has(field.replace('*', '')))

const known = new Set(ACCOUNT_TYPES.flatMap((type) => Object.keys(fieldsOf(type))))
const listed = new Map(
  rowsBelow('Table of account types').map(([, type = '', cell = '']) => [type.trim().split(' ')[0], fieldsIn(cell)]),
)
const instructed: Readonly<Record<string, readonly string[]>> = {
  BRL_ACCOUNT: ['qrCode'],
  COP_ACCOUNT: ['paymentUrl'],
  SPARK_WALLET: ['assetType', 'invoice'],
  ...Object.fromEntries(
    ['SOLANA', 'TRON', 'POLYGON', 'BASE', 'ETHEREUM'].map((chain) => [`${chain}_WALLET`, ['assetType']]),
  ),
}
const OF_ALL = ['accountType', 'fields', 'paymentRails', 'reference', 'beneficiary']

it.each(ACCOUNT_TYPES)('%s has the fields that the page lists', (type) => {
  const fields = listed.get(type) ?? []
  expect(fields.length).toBeGreaterThan(0)
  const own = Object.keys(fieldsOf(type)).filter((name) => !OF_ALL.includes(name))
  const names = [...fields, ...(instructed[type] ?? [])].map((field) => field.replace('*', ''))
  expect(own.toSorted()).toEqual([...new Set(names)].toSorted())
})

it('a field is non-null exactly when every type that has it requires it', () => {
  const required = new Map<string, boolean>()
  for (const type of ACCOUNT_TYPES) {
    const starred = listed.get(type) ?? []
    for (const name of Object.keys(fieldsOf(type))) {
      required.set(name, (required.get(name) ?? true) && starred.includes(`${name}*`))
    }
  }
  for (const type of ACCOUNT_TYPES) {
    for (const [name, field] of Object.entries(fieldsOf(type)).filter(([name]) => !OF_ALL.includes(name))) {
      expect({ type, name, required: isNonNullType(field.type) }).toEqual({ type, name, required: required.get(name) })
    }
  }
})

const ENUMS: Readonly<Record<string, string>> = { pixKeyType: 'CNPJ', bankAccountType: 'SAVINGS', rail: 'NEFT' }
const sampleOf = (type: AccountType) =>
  Object.fromEntries(
    Object.keys(fieldsOf(type))
      .filter((name) => !OF_ALL.includes(name))
      .map((name) => [name, ENUMS[name] ?? `${type} ${name}`]),
  )

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})

it('one document reads the details of accounts of all types, without an alias', async () => {
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace', documentType: 'CC' }
  const address = { line1: '1 Main Street', postalCode: '10115', country: 'DE' }
  const company = { beneficiaryType: 'BUSINESS', legalName: 'Ada Ltd', taxId: 'DE1', address }
  const holderOf = (type: AccountType) => (type < 'M' ? beneficiary : company)
  const isBank = (type: AccountType) => type.endsWith('_ACCOUNT')
  const accounts = await Promise.all(
    ACCOUNT_TYPES.map(async (accountType) => {
      const shared = isBank(accountType) ? { paymentRails: ['ACH'], beneficiary: holderOf(accountType) } : {}
      const accountInfo = { ...sampleOf(accountType), ...shared }
      return publicId('ExternalAccount', (await createExternalAccount(platform, { accountType, accountInfo })).id)
    }),
  )
  const fragments = ACCOUNT_TYPES.map((type) => `... on ${nameOf(type)} { ${Object.keys(sampleOf(type)).join(' ')} }`)
  const { data, errors } = await ask<{ nodes: { accountInfo: Record<string, unknown> }[] }, object>(
    platform,
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ExternalAccount { accountInfo {
      __typename accountType
      ... on BankAccountInfo { paymentRails beneficiary {
        beneficiaryType
        ... on IndividualBeneficiary { fullName documentType }
        ... on BusinessBeneficiary { legalName taxId address { line1 postalCode country } }
      } }
      ${fragments.join('\n')}
    } } } }`,
    { ids: accounts },
  )
  expect(errors).toBeUndefined()
  expect(data.nodes.map(({ accountInfo }) => accountInfo)).toEqual(
    ACCOUNT_TYPES.map((accountType) => ({
      __typename: nameOf(accountType),
      accountType,
      ...(isBank(accountType) ? { paymentRails: ['ACH'], beneficiary: holderOf(accountType) } : {}),
      ...sampleOf(accountType),
    })),
  )
})

it('one fragment reads the address of a wallet on any network', async () => {
  const ofWallets = ACCOUNT_TYPES.filter((type) => 'address' in sampleOf(type))
  expect(ofWallets).toHaveLength(6)
  const accounts = await Promise.all(
    [...ofWallets, 'LIGHTNING' as const].map((accountType) =>
      createExternalAccount(platform, { accountType, accountInfo: sampleOf(accountType) }),
    ),
  )
  const { data } = await ask<object, object>(
    platform,
    `query ($ids: [ID!]!) {
      nodes(ids: $ids) { ... on ExternalAccount { accountInfo { ... on WalletAddressInfo { address } } } }
    }`,
    { ids: accounts.map(({ id }) => publicId('ExternalAccount', id)) },
  )
  const infos = [...ofWallets.map((type) => ({ address: sampleOf(type)['address'] })), {}]
  expect(data).toEqual({ nodes: infos.map((accountInfo) => ({ accountInfo })) })
})

it('an account of any type shows all its fields in the same way, as text', async () => {
  const accountInfo = { clabeNumber: '032180000118359719', paymentRails: ['SPEI'] }
  const { id } = await createExternalAccount(platform, { currency: 'MXN', accountType: 'MXN_ACCOUNT', accountInfo })
  const { data } = await ask<object, object>(
    platform,
    'query ($id: ID!) { node(id: $id) { ... on ExternalAccount { accountInfo { fields { key value } } } } }',
    { id: publicId('ExternalAccount', id) },
  )
  expect(data).toEqual({
    node: {
      accountInfo: {
        fields: [
          { key: 'clabeNumber', value: '032180000118359719' },
          { key: 'paymentRails', value: '["SPEI"]' },
        ],
      },
    },
  })
})
