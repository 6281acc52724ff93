// What a field declares of its cost, where its type does not tell.
import type { SentArgs } from './sent-args.ts'

export interface FieldCost {
  /** Rows that each of its values takes. One for what has an id, none for what is part of such a row, unless said otherwise. */
  readonly rows?: number
  /** How many values a list holds. `PAGE` is the size of the page that it stands in. */
  readonly items?: 'PAGE' | ((args: SentArgs) => number)
}

/** For the `extensions` of a field. */
export const costing = (cost: FieldCost) => ({ cost })

/** The rows of a page are counted with the connection, which reads them whether they are selected or not. */
export const pageItems = costing({ rows: 0, items: 'PAGE' })
export const itemOfPage = costing({ rows: 0 })
