// The queries `node` and `nodes`, which find any object by its id.
import { invalidInput } from '#core/errors.ts'
import { type Kind, parseId } from '#core/ids.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { builder, NodeInterface } from './builder.ts'
import { compileNodes, loadNode, nodeBy } from './compiled/nodes.ts'

const MAX_IDS = 100

builder.queryField('node', (t) =>
  t.field({
    type: NodeInterface,
    description:
      'Any object by its id. Null if it does not exist or is not visible to the caller. Error: `INVALID_INPUT` if the id is malformed.',
    args: { id: t.arg.id({ required: true, description: 'Id of the form `<Kind>:<uuid>`.' }) },
    ...nodeBy<unknown>()(
      ({ id }: { readonly id: string }) => kindsOf([id]),
      ({ id }) => checkedId(id, 'id'),
    ),
  }),
)

builder.queryField('nodes', (t) =>
  t.field({
    type: [NodeInterface],
    nullable: { list: true, items: true },
    description: 'Like `node` for up to 100 ids. Results are in the order of `ids`.',
    extensions: {
      ...costing({ items: ({ ids }) => (Array.isArray(ids) ? ids.length : 1) }),
      compile: compileNodes<Ids>(
        ({ ids }) => kindsOf(ids),
        ({ ids }) => checkedCount(ids).map(idAt),
      ),
    },
    args: { ids: t.arg.idList({ required: true, description: 'Ids of the form `<Kind>:<uuid>`, at most 100.' }) },
    // A malformed id fails only its own item.
    resolve: (_root, { ids }, context) =>
      checkedCount(ids).map(async (id, index) => loadNode(context, idAt(id, index))),
  }),
)

interface Ids {
  readonly ids: readonly string[]
}

const kindsOf = (ids: readonly string[]): Kind[] => ids.flatMap((id) => parseId(id)?.kind ?? [])

const checkedCount = (ids: readonly string[]) => {
  if (ids.length > MAX_IDS) throw invalidInput('ids', `ids must contain at most ${MAX_IDS} ids`)
  return ids
}

const checkedId = (id: string, field: string) => {
  if (!parseId(id)) throw invalidInput(field, `${field} must have the form <Kind>:<uuid> with a known kind`)
  return id
}
const idAt = (id: string, index: number) => checkedId(id, `ids.${index}`)
