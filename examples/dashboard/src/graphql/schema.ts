// The part of the schema that the documents use, in the form that the cache expects. The build writes it in short form (build/graphql-facts.ts).
import { schema } from 'virtual:graphql-facts'
import type { CacheExchangeOpts } from '@urql/exchange-graphcache'

type Introspection = NonNullable<CacheExchangeOpts['schema']>

/** `[]!` is a list of values that are never null. The leaf stands for any type. */
const shapeOf = (wrappers: string): object => {
  if (wrappers.startsWith('!')) return { kind: 'NON_NULL', ofType: shapeOf(wrappers.slice(1)) }
  if (wrappers.startsWith('[]')) return { kind: 'LIST', ofType: shapeOf(wrappers.slice(2)) }
  return { kind: 'SCALAR', name: 'Any' }
}

const named = (kind: string, marked: string[] | null) => marked?.map((text) => ({ kind, name: text.slice(1) })) ?? []

const typeOf = (line: string) => {
  const [head = '', ...fields] = line.split(' ')
  const possibleTypes = named('OBJECT', head.match(/\|\w+/g))
  const kind = possibleTypes.length === 0 ? 'OBJECT' : fields.length === 0 ? 'UNION' : 'INTERFACE'
  return {
    kind,
    name: head.replace(/\W.*/, ''),
    interfaces: named('INTERFACE', head.match(/&\w+/g)),
    ...(kind !== 'OBJECT' && { possibleTypes }),
    fields: fields.map((field) => {
      const name = field.replace(/\W.*/, '')
      return { name, type: shapeOf(field.slice(name.length)), args: [] }
    }),
  }
}

export const introspection = {
  __schema: {
    queryType: { name: 'Query' },
    mutationType: { name: 'Mutation' },
    subscriptionType: { name: 'Subscription' },
    types: schema.split('\n').map(typeOf),
  },
} as Introspection
