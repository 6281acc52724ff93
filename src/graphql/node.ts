// `node` and `nodes`: any object by its id.
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
      'Any object by its `<Kind>:<uuid>` id. Null when it does not exist or is not visible; error `INVALID_INPUT` when the id is malformed.',
    args: { id: t.arg.id({ required: true, description: '`<Kind>:<uuid>`.' }) },
    resolve: (_root, { id }, context) => loadNode(context, id, 'id'),
  }),
)

builder.queryField('nodes', (t) =>
  t.field({
    type: [NodeInterface],
    nullable: { list: true, items: true },
    description: 'Like `node`, in the order of `ids`, at most 100.',
    extensions: costing({ items: ({ ids }) => (Array.isArray(ids) ? ids.length : 1) }),
    args: { ids: t.arg.idList({ required: true, description: '`<Kind>:<uuid>` each.' }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > MAX_IDS) throw invalidInput('ids', `ids must be at most ${MAX_IDS}`)
      return ids.map((id, index) => loadNode(context, id, `ids.${index}`))
    },
  }),
)

/** Rejects, so that in `nodes` a malformed id takes only its own place. */
const loadNode = async (context: Context, id: string, field: string) => {
  const parsed = parseId(id)
  if (!parsed) throw invalidInput(field, `${field} must be <Kind>:<uuid> of a known kind`)
  const batch = batchOfKind(parsed.kind)
  return batch ? load(context, batch, parsed.uuid) : null
}
