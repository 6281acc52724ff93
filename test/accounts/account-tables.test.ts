// Every account type over both faces: a valid account, and for each field its bounds, near misses of its pattern and of its check.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AccountType } from '#accounts/account-info.ts'
import { type Check, formatOf } from '#accounts/types/check.ts'
import type { Field } from '#accounts/types/rule.ts'
import { ADDABLE_TYPES, fieldsOf } from '#accounts/types/table.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { currencyFor, exampleOf } from '#test/setup/accounts/account-examples.ts'
import { accountFaces } from '#test/setup/accounts/account-faces.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

let platform: Platform
let customerId: string
beforeAll(async () => {
  platform = await createPlatform()
  customerId = publicId('Customer', (await createCustomer(platform)).id)
})
afterEach(() => db.externalAccount.deleteMany({ where: { platformId: platform.id } }))

const inputOf = (type: AccountType, change: object = {}) => ({
  customerId,
  currency: currencyFor(type),
  accountInfo: { ...exampleOf(type), ...change },
})

const stored = () =>
  db.$queryRaw<{ text: string }[]>`
    select account_type || currency || account_info::text as text from external_accounts where platform_id = ${platform.id}::uuid`

const clear = () => db.externalAccount.deleteMany({ where: { platformId: platform.id } })

/** What both faces answer, which must be the same: `accepted`, or the refusal of a field. */
const judge = async (type: AccountType, change: object) => {
  const answers = []
  for (const face of accountFaces) {
    const { status, body } = await face.create(platform, inputOf(type, change))
    if (status === 201) await clear()
    answers.push(status === 201 ? 'accepted' : { status, code: body.code, ...body.details, errors: undefined })
  }
  expect(answers[0]).toEqual(answers[1])
  return answers[0]
}

const refusal = (name: string, constraint: object) => ({
  status: 400,
  code: 'INVALID_BANK_ACCOUNT',
  field: `accountInfo.${name}`,
  constraint,
})

it.each(ADDABLE_TYPES)('a valid %s is accepted, and both faces store the same bytes', async (type) => {
  const written: string[] = []
  for (const face of accountFaces) {
    const { status, body } = await face.create(platform, inputOf(type))
    expect({ status, body }).toMatchObject({ status: 201, body: { status: 'ACTIVE', accountInfo: exampleOf(type) } })
    written.push(...(await stored()).map(({ text }) => text))
    await clear()
  }
  expect(written).toHaveLength(2)
  expect(written[0]).toBe(written[1])
})

/** The example with its last character repeated or cut off. */
const ofLength = (example: string, length: number) => example.slice(0, length).padEnd(length, example.at(-1))

const withOther = (text: string, at: number, character: string) => text.slice(0, at) + character + text.slice(at + 1)
/** Another digit in this place. */
const slip = (at: number) => (example: string) => withOther(example, at, String((Number(example.at(at)) + 1) % 10))

/** A value that matches the pattern and is refused only by the check. */
const NEAR_MISSES: Readonly<Partial<Record<Check, (example: string) => string>>> = {
  ABA_ROUTING: slip(8),
  BIC: (bic) => withOther(withOther(bic, 4, 'Z'), 5, 'Z'),
  BOLT11: (invoice) => withOther(invoice, 20, invoice[20] === 'q' ? 'p' : 'q'),
  BOLT12: (offer) => offer.slice(0, -8),
  CLABE: slip(17),
  COUNTRY: () => 'UK',
  CPF_OR_CNPJ: slip(10),
  EVM_ADDRESS: (address) => address.replace('A', 'a'),
  IBAN: slip(3),
  LIGHTNING_ADDRESS: (address) => address.toUpperCase(),
  PIX_KEY: slip(10),
  SOLANA_ADDRESS: (address) => withOther(address, 0, '0'),
  SPARK_ADDRESS: slip(-1),
  TRON_ADDRESS: (address) => withOther(address, 5, address[5] === 'x' ? 'y' : 'x'),
}

const others = (type: AccountType, name: string) =>
  // Alternatives of LIGHTNING exclude each other.
  type === 'LIGHTNING' && name !== 'invoice' ? { invoice: undefined } : {}

const texts = ADDABLE_TYPES.flatMap((type) =>
  fieldsOf(type).flatMap(([name, rule]) => (rule.enum ? [] : [{ type, name, rule }])),
)

const judgeField = ({ type, name }: { type: AccountType; name: string }, value: string) =>
  judge(type, { ...others(type, name), [name]: value })

const fits = ({ pattern = '', minLength, maxLength }: Field, value: string) =>
  new RegExp(pattern, 'u').test(value) && value.length >= minLength && value.length <= maxLength

describe.each(texts)('$type.$name', (place) => {
  const { name, rule } = place
  const { example, minLength, maxLength, pattern, check } = rule

  it('has its bounds', async () => {
    expect(await judgeField(place, ofLength(example, maxLength + 1))).toEqual(refusal(name, { maxLength }))
    expect(await judgeField(place, ofLength(example, minLength - 1))).toEqual(refusal(name, { minLength }))
    for (const length of new Set([minLength, maxLength])) {
      const value = ofLength(example, length)
      const isPlain = check === undefined || value === example
      const expected = isPlain
        ? 'accepted'
        : expect.toBeOneOf(['accepted', refusal(name, { format: check && formatOf(check) })])
      if (fits(rule, value)) expect(await judgeField(place, value)).toEqual(expected)
    }
  })

  it('refuses near misses', async () => {
    for (const miss of ['\u0007', '\n']) {
      expect(await judgeField(place, withOther(example, example.length - 1, miss))).toEqual(refusal(name, { pattern }))
    }
    if (check === undefined) return
    const miss = NEAR_MISSES[check]?.(example) ?? ''
    expect(fits(rule, miss), miss).toBe(true)
    expect(await judgeField(place, miss)).toEqual(refusal(name, { format: formatOf(check) }))
  })
})

const choices = ADDABLE_TYPES.flatMap((type) =>
  fieldsOf(type).flatMap(([name, rule]) => (rule.enum && !rule.enumOf ? [{ type, name, labels: rule.enum }] : [])),
)

it.each(choices)('$type.$name refuses other values', async ({ type, name, labels }) => {
  expect(await judge(type, { [name]: 'XX' })).toEqual(refusal(name, { enum: labels }))
})

describe('fields that depend on each other', () => {
  const table: readonly (readonly [AccountType, string, object, string])[] = [
    [
      'INR_ACCOUNT',
      'neither a UPI address nor a number',
      { vpa: undefined, accountNumber: undefined, ifsc: undefined },
      'vpa',
    ],
    ['INR_ACCOUNT', 'a number without its IFSC beside a UPI address', { ifsc: undefined, rail: undefined }, 'ifsc'],
    ['INR_ACCOUNT', 'a rail for which its fields are missing', { vpa: undefined, rail: 'UPI' }, 'rail'],
    [
      'INR_ACCOUNT',
      'rails for which their fields are missing',
      { vpa: undefined, rail: undefined, paymentRails: ['UPI'] },
      'paymentRails',
    ],
    [
      'COP_ACCOUNT',
      'neither a number nor a phone',
      { accountNumber: undefined, phoneNumber: undefined },
      'accountNumber',
    ],
    [
      'COP_ACCOUNT',
      'mobile money without a phone',
      { phoneNumber: undefined, paymentRails: ['MOBILE_MONEY'] },
      'paymentRails',
    ],
    [
      'PKR_ACCOUNT',
      'a transfer without IBAN and number',
      { iban: undefined, accountNumber: undefined, paymentRails: ['BANK_TRANSFER'] },
      'paymentRails',
    ],
    ['SWIFT_ACCOUNT', 'neither a number nor an IBAN', { iban: undefined, accountNumber: undefined }, 'accountNumber'],
    ['LIGHTNING', 'two things to pay', { lightningAddress: 'alice@example.com' }, 'lightningAddress'],
    ['LIGHTNING', 'nothing to pay', { invoice: undefined }, 'invoice'],
    ['EUR_ACCOUNT', 'a Norwegian IBAN with a slip in its account number', { iban: 'NO6686011117948' }, 'iban'],
    [
      'EUR_ACCOUNT',
      'an IBAN of a Norwegian account without a check digit, with a slip',
      { iban: 'NO0315030012344' },
      'iban',
    ],
    ['HKD_ACCOUNT', 'a number without a visible character', { accountNumber: '\u200b' }, 'accountNumber'],
    [
      'GBP_ACCOUNT',
      'a name without a visible character',
      { beneficiary: { beneficiaryType: 'BUSINESS', legalName: '\u200b\u2060' } },
      'beneficiary.legalName',
    ],
    ...(
      [
        ['ETHEREUM_WALLET', 'the contract of USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
        ['POLYGON_WALLET', 'the contract of USDT', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
        ['BASE_WALLET', 'the contract of USDT', '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2'],
        ['BASE_WALLET', 'the contract of bridged USDC', '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA'],
        ['TRON_WALLET', 'the contract of USDC', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
      ] as const
    ).map(([type, what, address]) => [type, what, { address }, 'address'] as const),
    ['BRL_ACCOUNT', 'a Pix key of another kind', { pixKeyType: 'EMAIL' }, 'pixKey'],
    [
      'EUR_ACCOUNT',
      'a person without a country',
      { beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'A' } },
      'beneficiary.countryOfResidence',
    ],
    [
      'AED_ACCOUNT',
      'a person without an address',
      { beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'A' } },
      'beneficiary.address',
    ],
    [
      'GBP_ACCOUNT',
      'an unknown country',
      { beneficiary: { beneficiaryType: 'BUSINESS', legalName: 'A', countryOfResidence: 'UK' } },
      'beneficiary.countryOfResidence',
    ],
    [
      'GBP_ACCOUNT',
      'a date that does not exist',
      { beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'A', birthDate: '2001-02-29' } },
      'beneficiary.birthDate',
    ],
    [
      'GBP_ACCOUNT',
      'a birth to come',
      { beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'A', birthDate: '9999-01-01' } },
      'beneficiary.birthDate',
    ],
    [
      'GBP_ACCOUNT',
      'two email addresses',
      { beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'A', email: 'a@b.com,c@d.com' } },
      'beneficiary.email',
    ],
  ]

  it.each(table)('%s refuses %s', async (type, _what, change, field) => {
    expect(await judge(type, change)).toMatchObject({
      status: 400,
      code: 'INVALID_BANK_ACCOUNT',
      field: `accountInfo.${field}`,
    })
  })

  const accepted: readonly (readonly [AccountType, string, object, object])[] = [
    ['INR_ACCOUNT', 'a UPI address alone', { accountNumber: undefined, ifsc: undefined }, { paymentRails: ['UPI'] }],
    ['INR_ACCOUNT', 'a number with its IFSC', { vpa: undefined, rail: 'RTGS' }, { paymentRails: ['NEFT', 'RTGS'] }],
    ['COP_ACCOUNT', 'a phone alone', { accountNumber: undefined }, { paymentRails: ['MOBILE_MONEY'] }],
    ['USD_ACCOUNT', 'some of the rails', { paymentRails: ['WIRE', 'ACH'] }, { paymentRails: ['ACH', 'WIRE'] }],
    [
      'EUR_ACCOUNT',
      'an IBAN in small letters',
      { iban: 'GB82west12345698765432'.replace('west', 'WEST') },
      { iban: 'GB82WEST12345698765432' },
    ],
    ['EUR_ACCOUNT', 'small letters in an IBAN', { iban: 'GB82west12345698765432' }, { iban: 'GB82WEST12345698765432' }],
    ['EUR_ACCOUNT', 'an IBAN of a Norwegian account without a check digit', { iban: 'NO0315030012343' }, {}],
    [
      'BRL_ACCOUNT',
      'a CNPJ with letters',
      { taxId: '12ABC34501DE35', pixKeyType: 'CNPJ', pixKey: '12ABC34501DE35' },
      {},
    ],
    ['BRL_ACCOUNT', 'a phone as Pix key', { pixKeyType: 'PHONE', pixKey: '+5511987654321' }, {}],
    ['BRL_ACCOUNT', 'a random Pix key', { pixKeyType: 'RANDOM', pixKey: '123e4567-e89b-42d3-a456-426614174000' }, {}],
    ['SOLANA_WALLET', 'a suffix of the sandbox', { address: `${'A'.repeat(33)}002` }, {}],
    ['TRON_WALLET', 'a suffix of the sandbox', { address: `T${'A'.repeat(31)}005` }, {}],
  ]

  it.each(accepted)('%s accepts %s', async (type, _what, change, result) => {
    for (const face of accountFaces) {
      const { status, body } = await face.create(platform, inputOf(type, change))
      expect({ status, info: body.accountInfo }).toMatchObject({ status: 201, info: result })
      await clear()
    }
  })
})
