// String maps of the REST interface as lists of entries: GraphQL has no maps.
import { builder } from './builder.ts'

interface Entry {
  readonly key: string
  readonly value: string
}

export const CounterpartyFactType = builder.objectRef<Entry>('CounterpartyFact').implement({
  description: 'One entry of a string map.',
  fields: (t) => ({
    key: t.exposeString('key', { nullable: false, description: 'For example FULL_NAME.' }),
    value: t.exposeString('value', { nullable: false, description: 'What is known of it.' }),
  }),
})

/** Null stays null; with `keys` only these, in the order of the map. Values that are no text are written as JSON. */
export const entriesOf = (
  map: Readonly<Record<string, unknown>> | null,
  keys?: readonly string[] | null,
): Entry[] | null =>
  map &&
  Object.entries(map)
    .filter(([key]) => !keys || keys.includes(key))
    .map(([key, value]) => ({ key, value: typeof value === 'string' ? value : JSON.stringify(value) }))

/** Of the argument `keys`. */
export const KEYS_DESCRIPTION = 'Only these keys.'
