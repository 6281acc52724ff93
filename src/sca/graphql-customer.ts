// The customer whose state a mutation has changed.
import { partsOfId } from '#core/ids.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import type { Context, FieldBuilder } from '#graphql/builder.ts'
import { load } from '#graphql/load.ts'

/** The parent of `customerField`, with the id from the input of the mutation. */
export interface OfCustomer {
  readonly customerId: string
}

export const customerField = <Parent extends OfCustomer>(t: FieldBuilder<Parent>) =>
  t.field({
    type: CustomerNode,
    description: 'The customer.',
    resolve: ({ customerId }: Parent, _args: object, context: Context) =>
      load(context, CustomerRecord.byIds, partsOfId(customerId).uuid),
  })
