// Lets a field declare its cost if its type does not determine it.
import type { GraphQLSchema } from 'graphql'
import type { SentArgs } from './sent-args.ts'

export interface FieldCost {
  /** Rows per value. Defaults to 1 for types with an id and to 0 for parts of a row. */
  readonly rows?: number | ((args: SentArgs) => number)
  /** The length of a list. `PAGE` stands for the size of the enclosing page. */
  readonly items?: 'PAGE' | ((args: SentArgs, schema: GraphQLSchema) => number)
  /** The size of the page that the value is, if it is not a connection. */
  readonly page?: (args: SentArgs) => number
}

/** The `extensions` of a field with this cost. */
export const costing = (cost: FieldCost) => ({ cost })

/** The options of a field with this cost. */
export const withCost = <O extends { readonly extensions: object }>(cost: FieldCost, options: O) => ({
  ...options,
  extensions: { ...options.extensions, cost },
})

/** The connection already counts the rows of its page, because it always reads them. */
export const pageItems = costing({ rows: 0, items: 'PAGE' })
export const itemOfPage = costing({ rows: 0 })
