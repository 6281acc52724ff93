// The texts of the REST contract: everything has a description, and every example is valid.
import type { GraphQLInterfaceType } from 'graphql'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { operations } from '#contract.ts'
import contract from '#rest/openapi.json' with { type: 'json' }
import { errorSchema } from '#rest/schema.ts'
import { schema } from '#schema.ts'

interface Part {
  readonly $ref?: string
  readonly in?: string
  readonly description?: string
  readonly properties?: Record<string, Part>
  readonly required?: readonly string[]
}

const named = (reference: string): Part =>
  reference
    .slice(2)
    .split('/')
    .reduce((part: object, name) => part[name as keyof typeof part], contract)

const isDescribed = ({ description, $ref }: Part): boolean =>
  !!description || ($ref !== undefined && isDescribed(named($ref)))

/** Paths of the properties, parameters and bodies that lack a description. */
const untold = (part: Part, at: string): string[] => {
  const own = at.endsWith('.requestBody') || part.in !== undefined ? [[at, part] as const] : []
  const properties = Object.entries(part.properties ?? {}).map(
    ([name, property]) => [`${at}.${name}`, property] as const,
  )
  const below = Object.entries(part).filter(([, member]) => typeof member === 'object' && member !== null)
  return [
    ...[...own, ...properties].flatMap(([place, member]) => (isDescribed(member) ? [] : [place])),
    ...below.flatMap(([name, member]) => untold(member, `${at}.${name}`)),
  ]
}

it('every property, parameter and body has a description', () => {
  expect(untold(contract.paths as Part, 'paths')).toEqual([])
  expect(untold(contract.components as Part, 'components')).toEqual([])
})

it('every tag has a description', () => {
  const used = new Set(all.flatMap(({ operation }) => operation.tags))
  expect(contract.tags.map(({ name }) => name).sort()).toEqual([...used].sort())
  expect(contract.tags.filter(({ description }) => !description)).toEqual([])
})

it('a reference with siblings has only a description beside it', () => {
  const beside = new Set<string>()
  JSON.stringify(contract, (_name, part) => {
    if (part?.$ref !== undefined) for (const name of Object.keys(part)) beside.add(name)
    return part
  })
  expect([...beside].sort()).toEqual(['$ref', 'description'])
})

it('every integer that may need more than 32 bits is int64, and every other number double', () => {
  const { CurrencyAmount, OutgoingRateDetails } = contract.components.schemas
  expect(CurrencyAmount.properties.amount.format).toBe('int64')
  expect(OutgoingRateDetails.properties).toMatchObject({
    counterpartyMultiplier: { type: 'number', format: 'double' },
    counterpartyFixedFee: { type: 'integer', format: 'int64' },
    serviceApiMultiplier: { type: 'number', format: 'double' },
    serviceApiFixedFee: { type: 'integer', format: 'int64' },
    serviceApiVariableFeeRate: { type: 'number', format: 'double' },
    serviceApiVariableFeeAmount: { type: 'number', format: 'int64' },
  })
  const formats = new Set<string>()
  JSON.stringify(contract, (_name, part) => {
    if (part?.type === 'integer') formats.add(part.maximum < 2 ** 31 ? `small ${part.format}` : `large ${part.format}`)
    if (part?.type === 'number') formats.add(`number ${part.format}`)
    return part
  })
  expect([...formats].sort()).toEqual(['large int64', 'number double', 'number int64', 'small undefined'])
})

it('every pattern means the same in all regular expressions, with Unicode flag or without', () => {
  const patterns = new Set<string>()
  JSON.stringify(contract, (_name, part) => {
    if (typeof part?.pattern === 'string') patterns.add(part.pattern)
    return part
  })
  expect(patterns.size).toBeGreaterThan(50)
  for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow()
  const isSpecial = /\\[pPu]|\(\?[^:]/
  expect([...patterns].filter((pattern) => isSpecial.test(pattern))).toEqual([])
})

it('an enumeration with several uses is a component, so that generated clients have one type for it', () => {
  const named = Object.values(contract.components.schemas)
  const components = new Set(named.flatMap((schema) => ('enum' in schema ? schema.enum.join() : [])))
  const written: string[] = []
  JSON.stringify(contract, (_name, part) => {
    // One label is the discriminator of a member of a union.
    if (part?.enum?.length > 1) written.push(part.enum.join())
    return part
  })
  const repeated = written.filter((labels, at) => written.indexOf(labels) < at)
  expect(components.size).toBeGreaterThan(60)
  expect(repeated.filter((labels) => components.has(labels))).toEqual([])
  // Each of the others is a part of an enumeration.
  expect([...new Set(repeated)].sort()).toEqual(['BANK_TRANSFER,MOBILE_MONEY', 'SEPA,SEPA_INSTANT', 'UPI,NEFT,RTGS'])
})

it('a constant is an enumeration of one label, because many generators of clients read no `const`', () => {
  expect(JSON.stringify(contract)).not.toContain('"const":')
  expect(contract.components.schemas.AccountDestination.properties.destinationType.enum).toEqual(['ACCOUNT'])
})

it('an object with several uses is a component, unless it has few fields', () => {
  const components = new Set<unknown>(Object.values(contract.components.schemas))
  const written: string[] = []
  const collect = (part: Part) => {
    if (Object.keys(part.properties ?? {}).length > 2 && !components.has(part)) written.push(fieldsOf(part))
    for (const member of Object.values(part)) if (typeof member === 'object' && member !== null) collect(member)
  }
  const fieldsOf = ({ properties, required }: Part) => JSON.stringify([properties, required])
  collect(contract as Part)
  expect(written.length).toBeGreaterThan(10)
  expect(written.filter((fields, at) => written.indexOf(fields) < at)).toEqual([])
})

it('an account in an answer has the fields that GraphQL gives accounts of all types', () => {
  const types = schema.getPossibleTypes(schema.getType('AccountOrWalletInfo') as GraphQLInterfaceType)
  const inGraphql = new Set(types.flatMap((type) => Object.keys(type.getFields())))
  // It lists all of them as text.
  inGraphql.delete('fields')
  expect(Object.keys(contract.components.schemas.AccountInfo.properties).sort()).toEqual([...inGraphql].sort())
})

const all = Object.entries(operations).flatMap(([path, methods]) =>
  Object.entries(methods as object).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
)
const bodies = all.flatMap(({ name, operation }) =>
  // Files have no example.
  operation.requestBody?.content['application/json']
    ? [{ name, ...operation.requestBody.content['application/json'] }]
    : [],
)

it.each(bodies)('the example of $name is valid input', ({ schema, example }) => {
  expect(example).toBeDefined()
  expect(() => z.parse(schema, example)).not.toThrow()
})

it('every error response has an example with its status', () => {
  const failures = Object.values(contract.paths)
    .flatMap((methods) => Object.values<{ responses: object }>(methods))
    .flatMap(({ responses }) => Object.entries(responses as Record<string, Part>))
    .filter(([status]) => Number(status) >= 400)
  for (const [status, { $ref = '' }] of failures) {
    const { content } = named($ref) as { content: { 'application/json': { example: object } } }
    expect(z.parse(errorSchema, content['application/json'].example).status).toBe(Number(status))
  }
})
