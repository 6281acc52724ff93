declare module 'virtual:event-types' {
  /** All types of events in the schema. */
  export const eventTypes: readonly import('../gql/graphql.ts').EventType[]
}

declare module 'virtual:graphql-facts' {
  /** Types without an id, which the cache keeps inside their parents. */
  export const keyless: readonly string[]
  /** The part of the schema that the documents use, a type on each line. */
  export const schema: string
}
