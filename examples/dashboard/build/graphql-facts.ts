// What the application needs to know about the schema and its own documents, determined at build time. Each document is
// a module, so that a screen loads only its own. The types without an id and the part of the schema that the documents
// use are for the cache. The types of events are for their groups.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  stripIgnoredCharacters,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Plugin } from 'vite'

const MODULE = 'virtual:graphql-facts'
const EVENT_TYPES = 'virtual:event-types'
const DOCUMENT = 'virtual:document/'
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

export const graphqlFacts = (): Plugin => ({
  name: 'graphql-facts',
  enforce: 'pre',
  resolveId: (id) =>
    id === MODULE || id === EVENT_TYPES || id.startsWith(DOCUMENT)
      ? { id: `\0${id}`, moduleSideEffects: false }
      : undefined,
  load(id) {
    if (id === `\0${MODULE}`) {
      const { schema, keyless } = collectFacts()
      return `export const keyless = ${JSON.stringify(keyless)}\nexport const schema = ${JSON.stringify(schema)}`
    }
    if (id === `\0${EVENT_TYPES}`) return `export const eventTypes = ${JSON.stringify(eventTypes())}`
    return id.startsWith(`\0${DOCUMENT}`) ? documentModules().get(id.slice(DOCUMENT.length + 1)) : undefined
  },
  /** Each document is taken from the file that contains all of them. */
  transform(_code, id) {
    if (!id.endsWith('/src/gql/graphql.ts')) return undefined
    const names = [...documentModules().keys()]
    const code = names.map((name) => `export { ${name} } from '${DOCUMENT}${name}'`).join('\n')
    return { code, map: null, moduleSideEffects: false }
  },
  /** The manifest, for the setting TRUSTED_DOCUMENTS of the gateway. */
  writeBundle({ dir = 'dist' }) {
    mkdirSync(dir, { recursive: true })
    writeFileSync(`${dir}/documents.json`, read('src/gql/persisted-documents.json'))
  },
})

const manifest = (): Record<string, string> => JSON.parse(read('src/gql/persisted-documents.json'))

/** A module for each operation, by the name that codegen gives to its document. */
const documentModules = () =>
  new Map(
    Object.entries(manifest()).map(([hash, text]) => {
      const operation = parse(text).definitions.find(
        ({ kind }) => kind === 'OperationDefinition',
      ) as OperationDefinitionNode
      const name = operation.name?.value
      const short = JSON.stringify(stripIgnoredCharacters(text))
      const meta = JSON.stringify({ name, hash })
      const value = `/* @__PURE__ */ Object.assign(new String(${short}), { __meta__: ${meta} })`
      return [`${name}Document`, `export const ${name}Document = ${value}`]
    }),
  )

const readSchema = () => buildSchema(read('../../src/graphql/schema.graphql'))

const eventTypes = () => {
  const type = readSchema().getType('EventType')
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : []
}

const collectFacts = () => {
  const schema = readSchema()
  const used = new Map<string, Set<string>>()
  const use = (type: GraphQLCompositeType, field: string) => {
    const types = isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [type]
    for (const { name } of types) used.set(name, (used.get(name) ?? new Set()).add(field))
  }
  const info = new TypeInfo(schema)
  for (const text of Object.values(manifest()))
    visit(
      parse(text),
      visitWithTypeInfo(info, {
        Field: ({ name }) => {
          const parent = info.getParentType()
          if (parent) use(parent, name.value)
        },
      }),
    )
  return { schema: shortSchema(schema, used), keyless: keylessIn(schema, used) }
}

type Used = ReadonlyMap<string, ReadonlySet<string>>

const typesOf = (schema: GraphQLSchema, used: Used) => [...used.keys()].flatMap((name) => schema.getType(name) ?? [])

const keylessIn = (schema: GraphQLSchema, used: Used) =>
  typesOf(schema, used)
    .filter((type) => isObjectType(type) && !type.getFields()['id'] && !isRoot(schema, type))
    .map(({ name }) => name)

const isRoot = (schema: GraphQLSchema, type: GraphQLNamedType) =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].some((root) => root === type)

/**
 * A line for each type: `Name&Interface field field!`, `Name|Possible|Possible field!` if it is abstract. A field ends
 * in the wrappers of its type, from the outside in: `[]` for a list and `!` for a value that is never null.
 * `src/graphql/schema.ts` reads it.
 */
const shortSchema = (schema: GraphQLSchema, used: Used) =>
  typesOf(schema, used)
    .map((type) => {
      const hasFields = isObjectType(type) || isInterfaceType(type)
      const possible = isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => `|${name}`) : []
      const interfaces = hasFields ? type.getInterfaces().map(({ name }) => `&${name}`) : []
      const fields = hasFields
        ? Object.values(type.getFields()).filter(({ name }) => used.get(type.name)?.has(name))
        : []
      return [
        [type.name, ...interfaces, ...possible].join(''),
        ...fields.map((field) => field.name + wrappersOf(field.type)),
      ].join(' ')
    })
    .join('\n')

const wrappersOf = (type: GraphQLOutputType): string => {
  if (isNonNullType(type)) return `!${wrappersOf(type.ofType)}`
  if (isListType(type)) return `[]${wrappersOf(type.ofType)}`
  return ''
}
