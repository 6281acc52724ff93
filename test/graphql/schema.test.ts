// The schema as clients see it: committed, described, with compatible shapes, and usable by tools.
// Own process: seeds the demo.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  buildClientSchema,
  buildSchema,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  NoDeprecatedCustomRule,
  parse,
  printSchema,
  specifiedRules,
  specifiedScalarTypes,
  validate,
  validateSchema,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '#graphql/graphiql/examples.ts'
import { subscribe } from '#test/setup/event-streams.ts'
import { ask, basic, type Credentials } from '#test/setup/faces.ts'
import { createPlatform } from '#test/setup/world.ts'
import { seedDemo } from '../../dev/demo.ts'

const project = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, project), 'utf8')

const committed = read('src/graphql/schema.graphql')
const schema = buildSchema(committed)

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !specifiedScalarTypes.some(({ name }) => name === type.name),
)
const isComposite = (type: GraphQLNamedType) => isObjectType(type) || isInterfaceType(type)
const composites = types.filter(isComposite)

describe('the committed schema', () => {
  it('is valid', () => {
    expect(validateSchema(schema)).toEqual([])
  })

  it('is exactly what a code generator gets from the gateway', async () => {
    const platform = await createPlatform(['VIEW'])
    const text = getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true })
    const { data, errors } = await ask<IntrospectionQuery, never>(platform, text)
    expect(errors).toBeUndefined()
    const printed = printSchema(lexicographicSortSchema(buildClientSchema(data)))
    expect(printed).toBe(committed.replace(/^#.*\n\n/, '').trimEnd())
  })

  it('describes every type, field, argument and enum value', () => {
    const undescribed = types.flatMap((type) => [
      ...missing(type.name, type),
      ...(isEnumType(type) ? type.getValues().flatMap((value) => missing(`${type.name}.${value.name}`, value)) : []),
      ...(isInputObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) => missing(`${type.name}.${field.name}`, field))
        : []),
      ...(isComposite(type) ? fieldsOf(type).flatMap((field) => missingOfField(type.name, field)) : []),
    ])
    expect(undescribed).toEqual([])
  })
})

it('every mutation that needs credentials has an error for missing permission', () => {
  const silent = fieldsOf(schema.getMutationType() as GraphQLObjectType)
    .filter(({ type }) => !possibleTypes(getNamedType(type)).some(({ name }) => name === 'ForbiddenError'))
    .map(({ name }) => name)
  expect(silent).toEqual(['redeemAgentDeviceCode'])
})

const missing = (name: string, { description }: { description?: string | null | undefined }) =>
  description?.trim() ? [] : [name]

const missingOfField = (owner: string, field: GraphQLField<unknown, unknown>) => [
  ...missing(`${owner}.${field.name}`, field),
  ...field.args.flatMap((arg) => missing(`${owner}.${field.name}(${arg.name}:)`, arg)),
]

const fieldsOf = (type: GraphQLObjectType | GraphQLInterfaceType) => Object.values(type.getFields())

it('every type with an id can be found by it, except one that is deprecated', () => {
  const lost = composites.filter((type) => {
    const id = type.getFields()['id']
    return (
      id && `${id.type}` === 'ID!' && type.name !== 'Node' && !type.getInterfaces().some(({ name }) => name === 'Node')
    )
  })
  expect(lost.map(({ name }) => name)).toEqual(['Platform'])
})

describe('amounts and currencies', () => {
  const described = composites.flatMap((type) =>
    fieldsOf(type).flatMap((field) => (field.deprecationReason ? [] : [{ type, field }])),
  )
  const isMoney = (field: GraphQLField<unknown, unknown> | undefined) =>
    field !== undefined && getNamedType(field.type).name === 'Money'

  it('every amount is also given with its currency', () => {
    const bare = described.filter(({ type, field }) => {
      const { name: typeName } = getNamedType(field.type)
      const isAmount =
        typeName === 'Int64' || (typeName === 'Int' && /in the smallest unit/i.test(field.description ?? ''))
      if (!isAmount || type.name === 'Money' || field.name === 'count') return false
      const { name } = field
      const beside = [`${name}Money`, name.replace(/Amount$/, ''), name.replace(/Amount$/, 'Money'), 'total']
      return !beside.some((other) => isMoney(type.getFields()[other]))
    })
    expect(bare.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([])
  })

  it('`currency` is an object, and the code of one is `currencyCode`', () => {
    const of = described
      .filter(({ field }) => /^(currency|currencyCode)$/.test(field.name))
      .map(({ field }) => `${field.name}: ${getNamedType(field.type).name}`)
    expect([...new Set(of)].toSorted()).toEqual(['currency: Currency', 'currencyCode: String'])
  })
})

describe('a selection on all members of a union or interface needs no alias', () => {
  it.each(types.filter(isAbstractType).map(({ name }) => name))(
    'because same-named fields of %s have the same shape',
    (name) => {
      expect(conflictsUnder(name)).toEqual([])
    },
  )

  it('and a field that is deprecated for its name says which to select instead', () => {
    const deprecated = composites.flatMap((type) =>
      fieldsOf(type).flatMap(({ name, deprecationReason }) =>
        deprecationReason ? [{ type, name, deprecationReason }] : [],
      ),
    )
    const lost = deprecated.filter(({ type, deprecationReason }) => {
      const [, instead = ''] = /Select `(\w+)[^`]*`/.exec(deprecationReason) ?? []
      const field = type.getFields()[instead]
      return !field || field.deprecationReason
    })
    console.log(`${deprecated.length} deprecated fields`)
    expect(lost.map(({ type, name }) => `${type.name}.${name}`)).toEqual([])
  })
})

/** Pairs of fields with the same name that GraphQL refuses to merge (specification §5.3.2, SameResponseShape). */
const conflictsUnder = (name: string): string[] => {
  const members = possibleTypes(schema.getType(name))
  return members.flatMap((left, index) => members.slice(index + 1).flatMap((right) => conflictsBetween(left, right)))
}

const possibleTypes = (type: GraphQLNamedType | undefined): readonly GraphQLObjectType[] =>
  isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : []

const conflictsBetween = (left: GraphQLObjectType, right: GraphQLObjectType, seen = new Set<string>()): string[] =>
  fieldsOf(left).flatMap((field) => {
    const other = right.getFields()[field.name]
    // A deprecated field is there for documents that select it already.
    if (!other || field.deprecationReason || other.deprecationReason) return []
    if (haveSameShape(field.type, other.type, seen)) return []
    return [`${left.name}.${field.name}: ${field.type} / ${right.name}.${other.name}: ${other.type}`]
  })

const haveSameShape = (left: GraphQLOutputType, right: GraphQLOutputType, seen: Set<string>): boolean => {
  if (isNonNullType(left) || isNonNullType(right)) {
    return isNonNullType(left) && isNonNullType(right) && haveSameShape(left.ofType, right.ofType, seen)
  }
  if (isListType(left) || isListType(right)) {
    return isListType(left) && isListType(right) && haveSameShape(left.ofType, right.ofType, seen)
  }
  return isLeafType(left) || isLeafType(right) ? left === right : canMerge(left, right, seen)
}

/** Objects of different types merge if all fields below them do. Each abstract type is checked on its own. */
const canMerge = (left: GraphQLNamedType, right: GraphQLNamedType, seen: Set<string>): boolean => {
  const pair = `${left.name} ${right.name}`
  if (left === right || seen.has(pair)) return true
  seen.add(pair)
  return possibleTypes(left).every((one) =>
    possibleTypes(right).every((other) => one === other || conflictsBetween(one, other, seen).length === 0),
  )
}

it('an interface has every field that all its types have, so that no client repeats it in fragments', () => {
  const repeated = types.filter(isInterfaceType).flatMap((type) => {
    const [first, ...others] = possibleTypes(type)
    const shared = first ? fieldsOf(first) : []
    return shared
      .filter(({ name, deprecationReason }) => !deprecationReason && !type.getFields()[name])
      .filter((field) => others.every((other) => `${other.getFields()[field.name]?.type}` === `${field.type}`))
      .map(({ name }) => `${type.name}.${name}`)
  })
  expect(repeated).toEqual([])
})

describe('relay-compiler', () => {
  it('accepts a pagination fragment on every connection', () => {
    const connections = composites.flatMap((type) =>
      fieldsOf(type)
        .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
        .map((field) => ({ owner: type.name, field: field.name })),
    )
    const names = connections.map(({ owner, field }) => `${owner}.${field}`)
    expect(names.length).toBeGreaterThan(25)
    const { status, log, artifacts } = compileWithRelay(connections.map(paginationModule))
    expect({ status, log }).toEqual({ status: 0, log: expect.stringContaining('Done.') })
    console.log(`relay-compiler: ${connections.length} pagination fragments, ${artifacts.size} artifacts`)
    // For each connection, the fragment and the query for its next page.
    expect(artifacts.size).toBe(2 * connections.length)
    const pages = [...artifacts].filter(([name]) => name.endsWith('_page.graphql.js'))
    expect(pages).toHaveLength(connections.length)
    for (const [, page] of pages) expect(page).toMatch(/"connection": \[\s*{\s*"count": "count",\s*"cursor": "cursor"/)
  })

  it('spreads a fragment on all transactions into an item of their list, without an alias', () => {
    const text = `
      graphql\`fragment Table_row on TransactionNode { id status amount { formatted } }\`
      graphql\`query TableQuery { transactions(first: 3) { edges { node { ...Table_row } } } }\``
    const { status, log } = compileWithRelay([{ name: 'Table', text }])
    expect({ status, log }).toEqual({ status: 0, log: expect.stringContaining('Done.') })
  })

  it('would refuse one on a list that is not a connection', () => {
    const { status, log } = compileWithRelay([paginationModule({ owner: 'CardTransaction', field: 'timeline' })])
    expect(status).not.toBe(0)
    expect(log).toContain('CardTransactionTimeline.js')
  })
})

interface Connection {
  readonly owner: string
  readonly field: string
}

interface Module {
  readonly name: string
  readonly text: string
}

const compileWithRelay = (modules: readonly Module[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'paygraph-relay-'))
  try {
    for (const name of ['src', 'artifacts']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'schema.graphql'), committed)
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(RELAY))
    for (const { name, text } of modules) writeFileSync(join(folder, 'src', `${name}.js`), text)
    const compiler = fileURLToPath(new URL('node_modules/relay-compiler/cli.js', project))
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '--noWatchman'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const names = readdirSync(join(folder, 'artifacts'))
    const artifacts = new Map(names.map((name) => [name, readFileSync(join(folder, 'artifacts', name), 'utf8')]))
    return { status, log: stdout + stderr, artifacts }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const RELAY = {
  src: './src',
  schema: './schema.graphql',
  artifactDirectory: './artifacts',
  language: 'javascript',
  eagerEsModules: true,
}

/** One pagination fragment. Relay wants names that begin with their module's. */
const paginationModule = ({ owner, field }: Connection): Module => {
  const module = `${owner}${field.charAt(0).toUpperCase()}${field.slice(1)}`
  const text = `graphql\`
    fragment ${module}_page on ${owner}
    @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
    @refetchable(queryName: "${module}PaginationQuery") {
      ${field}(first: $count, after: $cursor) @connection(key: "${module}_${field}") {
        totalCount
        edges { node { __typename } }
      }
    }
  \``
  return { name: module, text }
}

/** The errors of a document, and the deprecated fields that it selects. */
const problemsOf = (document: string) =>
  validate(schema, parse(document), [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => message)

describe('the examples', () => {
  it('in the documentation are valid', () => {
    const pages = readdirSync(join('docs', 'domain')).map((page) => join('docs', 'domain', page))
    const blocks = ['README.md', ...pages].flatMap((page) => graphqlBlocksOf(read(page)))
    console.log(`Documentation: ${blocks.length} graphql blocks`)
    expect(blocks.length).toBeGreaterThan(2)
    for (const block of blocks) expect({ block, errors: problemsOf(block) }).toEqual({ block, errors: [] })
  })

  it('of a first payment and of the device of a wallet are valid', () => {
    const inCode = [...read('dev/wallet.ts').matchAll(/`((?:query|mutation|\{)[^`]*)`/g)].map(([, text = '']) => text)
    expect(inCode.length).toBeGreaterThan(2)
    for (const document of [...inCode, read('examples/first-payment/first-payment.graphql')])
      expect({ document, errors: problemsOf(document) }).toEqual({ document, errors: [] })
  })

  it('of the dashboard are valid', () => {
    const folder = join('examples', 'dashboard', 'src')
    const files = readdirSync(new URL(folder, project), { recursive: true, encoding: 'utf8' })
    const documents = files.filter((path) => path.endsWith('.graphql')).map((path) => read(join(folder, path)))
    expect(documents.length).toBeGreaterThan(2)
    expect(problemsOf(documents.join('\n'))).toEqual([])
  })

  it('in GraphiQL return data from the demo for each of their root fields', async () => {
    await seedDemo(process.env['DATABASE_DIRECT_URL'] ?? '')
    const demo = { clientId: 'demo', secret: 'demo-secret' }
    for (const { query, variables } of EXAMPLES) {
      expect({ query, errors: problemsOf(query) }).toEqual({ query, errors: [] })
      const { data, errors } = /^subscription /m.test(query)
        ? await firstMessage(demo, query)
        : await ask<Record<string, unknown>, unknown>(demo, query, variables)
      expect({ query, errors }).toEqual({ query, errors: undefined })
      expect({ query, empty: Object.keys(data).filter((field) => isEmpty(data[field])) }).toEqual({ query, empty: [] })
    }
    console.log(`GraphiQL: ${EXAMPLES.length} examples answered`)
  })
})

const firstMessage = async (caller: Credentials, query: string) => {
  const stream = await subscribe(basic(caller), query)
  const sent = await stream.next()
  stream.close()
  return sent?.data
}

const graphqlBlocksOf = (markdown: string) =>
  [...markdown.matchAll(/^```graphql[^\n]*\n(.*?)^```/gms)].map(([, block = '']) => block)

/** Null, or a page without items. */
const isEmpty = (value: unknown) => value === null || (value as { nodes?: unknown[] }).nodes?.length === 0
