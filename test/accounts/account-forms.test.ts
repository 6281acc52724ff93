// A form made only of `accountRequirements` accepts what the gateway accepts and refuses what it refuses.
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { CURRENCIES } from '#core/codes/currencies.ts'
import { publicId } from '#core/ids.ts'
import { accountFaces } from '#test/setup/accounts/account-faces.ts'
import { type FormField, formAccepts, REQUIREMENTS, type Requirements } from '#test/setup/accounts/account-form.ts'
import { ask } from '#test/setup/faces.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

const RUNS = Number(process.env['FORMS'] ?? 200)

let platform: Platform
let customerId: string
let forms: readonly Requirements[]
beforeAll(async () => {
  platform = await createPlatform()
  customerId = publicId('Customer', (await createCustomer(platform)).id)
  const byType = new Map<string, Requirements>()
  for (const currency of CURRENCIES.keys()) {
    for (const form of await read<Requirements>(`(currency: "${currency}")`, REQUIREMENTS))
      byType.set(form.accountType, form)
  }
  forms = [...byType.values()]
})

const read = async <T>(args: string, fields: string): Promise<T[]> => {
  const { data } = await ask<{ accountRequirements: T[] }, object>(
    platform,
    `{ accountRequirements${args} { ${fields} } }`,
  )
  return data.accountRequirements
}

const readTypes = async (args: string) =>
  (await read<{ accountType: string }>(args, 'accountType')).map(({ accountType }) => accountType)

it('lists the account types of a currency and a country', async () => {
  expect(await readTypes('')).toHaveLength(45)
  expect(forms).toHaveLength(45)
  expect(await readTypes('(currency: "USD", country: "SV")')).toEqual(['SLV_ACCOUNT', 'SWIFT_ACCOUNT'])
  expect(await readTypes('(currency: "XAF", country: "CM")')).toEqual(['XAF_ACCOUNT', 'SWIFT_ACCOUNT'])
  expect(await readTypes('(currency: "USDT")')).toEqual(['SWIFT_ACCOUNT', 'SOLANA_WALLET', 'TRON_WALLET'])
})

const ofLength = (text: string, length: number) => text.slice(0, length).padEnd(length, text.at(-1))

const textFor = ({ example, constraint }: FormField, examples: readonly string[]): fc.Arbitrary<string | null> => {
  const { minLength, maxLength } = constraint
  const near = [minLength ?? 1, maxLength ?? 1].flatMap((bound) => [bound - 1, bound, bound + 1])
  const changed = fc
    .tuple(fc.nat(example.length - 1), fc.constantFrom(...'0123456789aAzZ+.-@ \u0007\nß'))
    .map(([at, character]) => example.slice(0, at) + character + example.slice(at + 1))
  const digits = fc.nat(999).map((number) => example.replace(/\d{3}/, String(number).padStart(3, '0')))
  return fc.oneof(
    { weight: 24, arbitrary: fc.constant(example) },
    { weight: 3, arbitrary: changed },
    { weight: 3, arbitrary: digits },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...near.filter((length) => length >= 0)).map((length) => ofLength(example, length)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...examples, '\u200b') },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  )
}

const valuesOf = (fields: readonly FormField[], examples: readonly string[]) =>
  fc.record(Object.fromEntries(fields.map((field) => [field.name, textFor(field, examples)])))

/** Details of one type, mostly valid. */
const detailsOf = (form: Requirements, examples: readonly string[]) => {
  const sets = form.exactlyOne ? [form.oneSetOf] : [[], form.oneSetOf]
  const left = fc
    .constantFrom(...sets)
    .chain((left) => fc.subarray(left.flat(), { maxLength: Math.max(0, left.flat().length - 1) }))
  const rails = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.subarray(form.rails.map(({ rail }) => rail)) },
  )
  const beneficiary =
    form.beneficiaries.length === 0
      ? fc.constant(undefined)
      : fc
          .constantFrom(...form.beneficiaries)
          .chain(({ beneficiaryType, fields, addressFields }) =>
            fc
              .tuple(valuesOf(fields, examples), fc.option(valuesOf(addressFields, examples), { freq: 2 }))
              .map(([values, address]) => ({ beneficiaryType, ...values, address })),
          )
  return fc
    .tuple(valuesOf(form.fields, examples), left, rails, beneficiary)
    .map(([values, without, paymentRails, holder]) => ({
      accountType: form.accountType,
      ...Object.fromEntries(Object.entries(values).filter(([name]) => !without.includes(name))),
      ...(form.rails.length > 0 && paymentRails && { paymentRails }),
      ...(holder && { beneficiary: holder }),
    }))
}

it('a form built from it agrees with both faces', async () => {
  const examples = [...new Set(forms.flatMap(({ fields }) => fields.map(({ example }) => example)))]
  const details = fc.constantFrom(...forms).chain((form) => detailsOf(form, examples))
  const counts = { accepted: 0, refused: 0 }
  const check = async (info: Readonly<Record<string, unknown>>, onGraphQL: boolean) => {
    const form = forms.find(({ accountType }) => accountType === info['accountType']) as Requirements
    const face = accountFaces[onGraphQL ? 0 : 1]
    const currency = form.currencies[0] ?? 'JPY'
    const { status, body } = await face.create(platform, { customerId, currency, accountInfo: info })
    // An account that exists, and one that the bank does not know, has passed the form.
    const hasPassed = status === 201 || status === 409 || /not known to the bank/.test(body.message)
    counts[hasPassed ? 'accepted' : 'refused'] += 1
    expect({ hasPassed, answer: body }).toMatchObject({ hasPassed: formAccepts(form, info) })
  }
  await fc.assert(fc.asyncProperty(details, fc.boolean(), check), { numRuns: RUNS })
  console.log(`${RUNS} forms: ${counts.accepted} accepted, ${counts.refused} refused, 0 disagreements`)
  expect(counts.accepted).toBeGreaterThan(RUNS / 10)
  expect(counts.refused).toBeGreaterThan(RUNS / 10)
}, 1_200_000)
