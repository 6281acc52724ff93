// The published constraints of inputs are those that the gateway enforces.
import { isInputObjectType } from 'graphql/type/definition.js'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FieldConstraint } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { schema } from '#schema.ts'
import { ask } from '#test/setup/faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

interface InputConstraint {
  readonly field: string
  readonly required: boolean
  readonly constraint: FieldConstraint | null
}

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})

const QUERY = `query ($mutation: String!) {
  inputConstraints(mutation: $mutation) {
    field required constraint { format pattern enum minLength maxLength minimum maximum }
  }
}`

const read = (mutation: string) =>
  ask<{ inputConstraints: InputConstraint[] }, { mutation: string }>(platform, QUERY, { mutation })

/** The constraints by field, without those that are null. */
const constraintsOf = async (mutation: string) => {
  const { data } = await read(mutation)
  return Object.fromEntries(
    data.inputConstraints.map(({ field, required, constraint }) => [
      field,
      { required, ...JSON.parse(JSON.stringify(constraint ?? {}, (_key, value: unknown) => value ?? undefined)) },
    ]),
  )
}

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})

it.each(mutations.map(({ name }) => name))('%s lists each leaf field of its input once', async (name) => {
  const { data, errors } = await read(name)
  expect(errors).toBeUndefined()
  const fields = data.inputConstraints.map(({ field }) => field)
  expect(new Set(fields).size).toBe(fields.length)
  const type =
    mutations
      .find((mutation) => mutation.name === name)
      ?.args[0]?.type.toString()
      .replace('!', '') ?? ''
  const input = schema.getType(type)
  const names = isInputObjectType(input) ? Object.keys(input.getFields()) : []
  expect([...new Set(fields.map((field) => field.split('.')[1]))].sort()).toEqual(names.sort())
})

describe('the constraints', () => {
  it('cover both ways to fund a quote', async () => {
    const account = '^(InternalAccount|ExternalAccount):'
    expect(await constraintsOf('createQuote')).toMatchObject({
      'input.source.accountId': { pattern: expect.stringContaining(account) },
      'input.source.realtimeFunding.currency': { required: true, minLength: 1, maxLength: 16 },
      'input.source.realtimeFunding.customerId': { required: false, pattern: expect.stringContaining('^(Customer):') },
      'input.destination.accountId': { required: true, pattern: expect.stringContaining(account) },
      'input.lockedCurrencySide': { required: true, enum: ['SENDING', 'RECEIVING'] },
      'input.lockedCurrencyAmount': { required: true, minimum: 1 },
      'input.remittanceInformation': { required: false, maxLength: 80 },
    })
  })

  it("use the field's path in the GraphQL input, whatever the domain calls it", async () => {
    expect(await constraintsOf('transferOut')).toMatchObject({
      'input.sourceAccountId': { required: true, pattern: expect.stringContaining('^(InternalAccount):') },
      'input.destinationAccountId': { required: true, pattern: expect.stringContaining('^(ExternalAccount):') },
      'input.paymentRail': { enum: expect.arrayContaining(['ACH']) },
    })
    expect(await constraintsOf('registerCredential')).toMatchObject({
      'input.credential.passkey.nickname': { required: true, minLength: 1, maxLength: 100 },
      'input.credential.passkey.attestation.transports': { enum: expect.arrayContaining(['usb']) },
      'input.credential.oauth.oidcToken': { required: true },
    })
    expect(await constraintsOf('updateAgentPolicy')).toMatchObject({
      'input.policy.accountRestrictions.accountRules.*.accountId': {
        required: true,
        pattern: expect.stringContaining('^(InternalAccount):'),
      },
    })
  })

  it('include those of objects that several inputs share', async () => {
    expect(await constraintsOf('createExternalAccount')).toMatchObject({
      'input.beneficiary.individual.address.country': { minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$' },
      'input.beneficiary.business.address.line1': { required: true, maxLength: 255 },
    })
  })

  it('equal those in an error', async () => {
    const told = await constraintsOf('rejectTransaction')
    const { data } = await ask<
      { rejectTransaction: { details: { field: string; constraint: FieldConstraint } } },
      never
    >(
      platform,
      `mutation { rejectTransaction(input: { transactionId: "Transaction:x", reason: "${'x'.repeat(1001)}" }) {
        ... on ApiError { details { field constraint { maxLength } } }
      } }`,
    )
    const { field, constraint } = data.rejectTransaction.details
    expect({ field, maxLength: constraint.maxLength }).toEqual({ field: 'input.reason', maxLength: 1000 })
    expect(told[field]).toMatchObject(constraint)
  })

  it('equal those in an error for amounts too', async () => {
    const told = await constraintsOf('createQuote')
    const { data } = await ask<{ createQuote: { details: { field: string; constraint: FieldConstraint } } }, never>(
      platform,
      `mutation { createQuote(input: {
        source: { accountId: "InternalAccount:${newUuid()}" }, destination: { accountId: "InternalAccount:${newUuid()}" }
        lockedCurrencySide: SENDING, lockedCurrencyAmount: 0
      }) { ... on ApiError { details { field constraint { minimum maximum } } } } }`,
    )
    const { field, constraint } = data.createQuote.details
    expect({ field, minimum: constraint.minimum }).toEqual({ field: 'input.lockedCurrencyAmount', minimum: 1 })
    expect(told[field]).toMatchObject(constraint)
  })

  it('can be requested only for mutations that exist', async () => {
    const { errors } = await read('payMe')
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'mutation', constraint: { enum: expect.arrayContaining(['createQuote']) } },
    })
  })
})

it('fields of a oneOf input are not required, and patterns work in HTML forms', async () => {
  const quote = await constraintsOf('createQuote')
  expect(quote['input.source.accountId']).toMatchObject({ required: false })
  expect(quote['input.destination.accountId']).toMatchObject({ required: true })
  const patterns = new Set<string>()
  for (const { name } of mutations) {
    for (const { pattern } of Object.values(await constraintsOf(name))) {
      if (pattern) patterns.add(pattern)
    }
  }
  expect(patterns.size).toBeGreaterThan(10)
  for (const pattern of patterns) {
    for (const flag of ['u', 'v']) expect(() => new RegExp(pattern, flag)).not.toThrow()
  }
})

it('an unknown mutation gives an error and leaves the rest of the response', async () => {
  const { data, errors } = await ask<{ apiInfo: object | null; inputConstraints: null }, object>(
    platform,
    '{ apiInfo { version } inputConstraints(mutation: "payMe") { field } }',
  )
  expect(data).toMatchObject({ apiInfo: { version: expect.any(String) }, inputConstraints: null })
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', details: { field: 'mutation' } } }])
})
