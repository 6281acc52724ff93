// The queries `node` and `nodes`, which find any object by its id.
import { invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { builder, type Context, NodeInterface } from './builder.ts'
import { load } from './load.ts'
import { batchOfKind } from './node-types.ts'

const MAX_IDS = 100

builder.queryField('node', (t) =>
  t.field({
    type: NodeInterface,
    description:
      'Any object by its id. Null if it does not exist or is not visible to the caller. Error: `INVALID_INPUT` if the id is malformed.',
    args: { id: t.arg.id({ required: true, description: 'Id of the form `<Kind>:<uuid>`.' }) },
    resolve: (_root, { id }, context) => loadNode(context, id, 'id'),
  }),
)

builder.queryField('nodes', (t) =>
  t.field({
    type: [NodeInterface],
    nullable: { list: true, items: true },
    description: 'Like `node` for up to 100 ids. Results are in the order of `ids`.',
    extensions: costing({ items: ({ ids }) => (Array.isArray(ids) ? ids.length : 1) }),
    args: { ids: t.arg.idList({ required: true, description: 'Ids of the form `<Kind>:<uuid>`, at most 100.' }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > MAX_IDS) throw invalidInput('ids', `ids must contain at most ${MAX_IDS} ids`)
      return ids.map((id, index) => loadNode(context, id, `ids.${index}`))
    },
  }),
)

/** Rejects instead of throwing, so that in `nodes` a malformed id fails only its own item. */
const loadNode = async (context: Context, id: string, field: string) => {
  const parsed = parseId(id)
  if (!parsed) throw invalidInput(field, `${field} must have the form <Kind>:<uuid> with a known kind`)
  const batch = batchOfKind(parsed.kind)
  return batch ? load(context, batch, parsed.uuid) : null
}
