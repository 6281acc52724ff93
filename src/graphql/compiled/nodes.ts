// Root fields that name rows by their ids. The ids of a field are rows of a level, and each leads to the row that it names.
import { type FieldNode, Kind as Syntax } from 'graphql'
import { getNamedType, getNullableType, isListType } from 'graphql/type/definition.js'
import type { Caller } from '#core/caller.ts'
import { type Kind, partsOfId } from '#core/ids.ts'
import type { Row } from '#database/row.ts'
import type { Context } from '#graphql/builder.ts'
import { load } from '#graphql/load.ts'
import { nodeTypeOf } from '#graphql/node-types.ts'
import { type Compile, type Selection, whole } from './compiler.ts'
import { read } from './field.ts'
import type { Write } from './json.ts'
import type { Condition, Level } from './levels.ts'
import { argsOf } from './values.ts'

type Awaitable<T> = T | Promise<T>

/** Kinds of ids. Arguments may decide them, but only by the kinds of the ids in them. */
type KindsOf<A> = (args: A) => Iterable<Kind>

/** The object whose id `idOf` returns, or null. */
export const nodeBy =
  <T>() =>
  <A>(kindsOf: KindsOf<A>, idOf: (args: A, caller: Caller) => Awaitable<string | null>) =>
    read(
      async (_root: unknown, args: A, context: Context) => {
        const id = await idOf(args, context.caller)
        return (id === null ? null : await loadNode(context, id)) as T
      },
      compileNodes<A>(kindsOf, async (args, caller) => {
        const id = await idOf(args, caller)
        return id === null ? [] : [id]
      }),
    )

/** The object with this well-formed id. */
export const loadNode = async (context: Context, id: string): Promise<unknown> => {
  const { kind, uuid } = partsOfId(id)
  const batch = nodeTypeOf(kind)?.kinds[kind]
  return batch ? load(context, batch, uuid) : null
}

/** The objects with these ids, in their order. */
export const compileNodes =
  <A>(kindsOf: KindsOf<A>, idsOf: (args: A, caller: Caller) => Awaitable<readonly string[]>): Compile =>
  (selection) => {
    const { compiler, at, field, nodes } = selection
    const args = argsOf(field, nodes)
    const ids = compiler.newLevel(null, at.level.next + 1)
    const kindAt = ids.place('kind')
    compiler.round(at.level.next).readings.set(ids, {
      read: async (run) => {
        const given = await idsOf(args(run) as A, run.caller)
        const rows = given.map((id, index): [string, Row] => {
          const { kind, uuid } = partsOfId(id)
          return [String(index), [id, kind, uuid]]
        })
        run.found[ids.slot] = new Map(rows)
      },
    })
    const kinds = new Set(kindsOf(args({ args: new Map(), variables: compiler.variables }) as A))
    const writers = new Map([...kinds].map((kind) => [kind as string, nodeWriter(selection, ids, kind)]))
    const write: Write = (row, run) => writers.get(row[kindAt] ?? '')?.(row, run) ?? null
    if (isListType(getNullableType(field.type))) {
      return (_root, run) => `[${Array.from(ids.rows(run), (row) => write(row, run) ?? 'null').join(',')}]`
    }
    return (_root, run) => {
      const [row] = ids.rows(run)
      return row ? write(row, run) : null
    }
  }

/** Writes the rows that ids of this kind lead to. */
const nodeWriter = (selection: Selection, ids: Level, kind: Kind): Write => {
  const nodeType = nodeTypeOf(kind)
  if (!nodeType) return () => null
  const { compiler, field, nodes } = selection
  const [kindAt, uuidAt] = [ids.place('kind'), ids.place('uuid')]
  const condition: Condition = (row) => row[kindAt] === kind
  const linked = compiler.linked({ ...selection, at: { ...whole(ids), condition } }, uuidAt, nodeType.record)
  const type = getNamedType(field.type)
  const [write, idOf] = [compiler.row(type, nodes, linked), compiler.row(type, [WITH_ID], linked)]
  return (row, run) => {
    const found = linked.level.rowFor(row, uuidAt, run)
    // Rows of one record may have ids of several kinds.
    return found && idOf(found, run) === `{"id":"${row[0]}"}` ? write(found, run) : null
  }
}

const ID: FieldNode = { kind: Syntax.FIELD, name: { kind: Syntax.NAME, value: 'id' } }
const WITH_ID: FieldNode = { ...ID, selectionSet: { kind: Syntax.SELECTION_SET, selections: [ID] } }
