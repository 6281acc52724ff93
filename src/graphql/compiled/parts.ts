// How fields read objects that are rows: the row of another record, or the same row as a part or as one of several types.
import { getNamedType } from 'graphql/type/definition.js'
import type { AnyRecord, RecordOf } from '#database/record.ts'
import type { Context } from '#graphql/builder.ts'
import { loadOptional } from '#graphql/load.ts'
import { type Place, placeOf, type Selection, type TypeBy, writeByLabel } from './compiler.ts'
import { type Of, type Read, read } from './field.ts'
import { NotCompiled, type Write } from './json.ts'
import type { BatchOf } from './levels.ts'
import { writeValue } from './values.ts'

/** The row of another record. The column holds its id. */
export const rowOf = <T extends AnyRecord, C extends string>(
  record: T,
  name: C,
): Read<Of<C, string | null>, Promise<RecordOf<T>>> =>
  read(
    (row: Of<C, string | null>, _args: object, context: Context) =>
      loadOptional(context, record.byIds, row[name]) as Promise<RecordOf<T>>,
    (selection) => {
      const { compiler, at, field, nodes } = selection
      const place = placeOf(at, name)
      const linked = compiler.linked(selection, place, record)
      const write = compiler.row(getNamedType(field.type), nodes, linked)
      return (row, run) => {
        const found = linked.level.rowFor(row, place, run)
        return found ? write(found, run) : null
      }
    },
  )

/** The value that `batch` finds for the uuid in the column. */
export const batchOf = <C extends string, T>(
  batch: BatchOf<T>,
  name: C,
): Read<Of<C, string | null>, Promise<NonNullable<T>>> =>
  read(
    (row: Of<C, string | null>, _args: object, context: Context) =>
      loadOptional(context, batch, row[name]) as Promise<NonNullable<T>>,
    (selection) => {
      const { compiler, at, field, nodes } = selection
      const place = placeOf(at, name)
      const slot = compiler.batch(selection, place, batch)
      const write = writeValue(compiler, field.type, nodes)
      return (row, run) => write(run.found[slot]?.get(row[place] as string), run)
    },
  )

/** The row as a value of the field's type. With names, null unless one of their columns has a value. */
const writePart = ({ compiler, at, field, nodes }: Selection, names: readonly string[]): Write => {
  const columns = names.map(at.columnOf).filter((column) => column !== null)
  const places = columns.map((column) => at.level.place(column))
  const write = compiler.row(getNamedType(field.type), nodes, at)
  if (names.length === 0) return write
  return (row, run) => (places.some((place) => row[place] !== null) ? write(row, run) : null)
}

/** The same row as a part of it. With columns, null unless one of them has a value. */
export const partOf = <C extends string = never>(...names: readonly C[]) =>
  read(
    <R extends Of<C>>(row: R) => (names.length === 0 || names.some((name) => row[name] !== null) ? row : null) as R,
    (selection) => writePart(selection, names),
  )

/**
 * The same row as a part `P` whose columns have other names in it. A name without a column stands for null. The part is null unless one
 * of these columns has a value.
 */
export const renamedPart =
  <P>() =>
  <const C extends string>(as: Readonly<Partial<Record<keyof P & string, C | null>>>) => {
    const renamed = Object.entries(as) as [string, C | null][]
    const names = new Map(renamed)
    return read(
      (row: Of<C>) => {
        const values = renamed.map(([name, column]) => [name, column && row[column]] as const)
        const isEmpty = values.every(([, value]) => value === null)
        return (isEmpty ? null : Object.assign(Object.create(row), Object.fromEntries(values))) as P
      },
      (selection) => {
        const { at } = selection
        const columnOf = (name: string) => {
          const column = names.get(name)
          return column === null ? null : at.columnOf(column ?? name)
        }
        return writePart({ ...selection, at: { ...at, columnOf } }, [...names.keys()])
      },
    )
  }

/** The value. It is written from the columns of the row if they have all that is selected of it. */
export const columnsOr = <R, T>(value: Read<R, T>): Read<R, T> =>
  read(value.resolve, (selection) => {
    const { compiler, at, field, nodes } = selection
    try {
      return compiler.row(getNamedType(field.type), nodes, at)
    } catch (error) {
      if (!(error instanceof NotCompiled)) throw error
      return value.extensions.compile(selection)
    }
  })

type Cases = Readonly<Record<string, Read<never, unknown>>>
type ValueOf<K extends Cases> = ReturnType<K[keyof K]['resolve']>
/** A row that every case can read. */
type RowOfAll<K extends Cases> = {
  [L in keyof K]: (row: Parameters<K[L]['resolve']>[0]) => void
}[keyof K] extends (row: infer R) => void
  ? R
  : never

/** One of these cases, chosen by the label in a column. */
export const byLabel = <C extends string, const K extends Cases>(name: C, cases: K) =>
  read(
    (row: RowOfAll<K> & Of<C, string | null>, args: object, context: Context) =>
      cases[row[name] ?? '']?.resolve(row as never, args, context) as ValueOf<K>,
    (selection) => {
      const write = ({ extensions }: Cases[string], at: Place) => extensions.compile({ ...selection, at })
      return writeByLabel(selection.at, name, cases, write, () => null)
    },
  )

/** The options of an interface or union whose rows hold the label of their type. */
export const typeBy = <C extends string, L extends string>(name: C, names: Readonly<Record<L, string>>) => ({
  resolveType: (row: Of<C, L | null>) => names[row[name] as L],
  extensions: { typeBy: { column: name, names } satisfies TypeBy },
})
