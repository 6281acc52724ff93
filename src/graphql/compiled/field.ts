// How fields read rows. Each helper defines both the resolver of a field and its compiled writer, so that they agree.
import { type GraphQLObjectType, getNamedType } from 'graphql/type/definition.js'
import type { Caller } from '#core/caller.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { type Kind, publicId } from '#core/ids.ts'
import { type Money, money, optionalMoney } from '#core/money.ts'
import type { Context } from '#graphql/builder.ts'
import { type Compile, placeOf, type Selection } from './compiler.ts'
import { joined, type Write, within } from './json.ts'
import type { Run } from './levels.ts'
import { argsOf, nameOf, writeResolved, writeValue } from './values.ts'

/**
 * The options of a field that reads a row `R`. The value type excludes null. GraphQL itself refuses null in a non-null field.
 */
export interface Read<R, T, A = object> {
  readonly resolve: (row: R, args: A, context: Context) => T
  readonly extensions: { readonly compile: Compile }
}

export const read = <F>(resolve: F, compile: Compile) => ({ resolve, extensions: { compile } })

/** A row with this column. */
export type Of<C extends string, T = unknown> = Readonly<Record<C, T>>

/** The value of the column. */
export const column = <C extends string>(name: C) =>
  read(
    <R extends Of<C>>(row: R) => row[name] as NonNullable<R[C]>,
    (selection) => selection.compiler.column(selection, name),
  )

/** The value of the column as an enum of these labels. A constraint ensures that it has no others. */
export const labelOf = <C extends string, L extends string>(name: C, _labels: readonly L[]) =>
  column(name) as Read<Of<C>, L>

/** The public id of the uuid in the column. */
export const idOf = <C extends string>(kind: Kind, name: C): Read<Of<C, string | null>, string> =>
  read(
    (row: Of<C, string | null>) => (row[name] === null ? null : publicId(kind, row[name])) as string,
    ({ at }) => {
      const place = placeOf(at, name)
      return within(`"${kind}:`, (row) => row[place] ?? null, '"')
    },
  )

/** The currency whose code is in the column. */
export const currency = <C extends string>(code: C) =>
  read(
    (row: Of<C, string>) => currencyOf(row[code]),
    (selection) => currencyWriter(selection, code),
  )

/** A currency depends neither on the row nor on arguments, so its JSON is written once. */
const currencyWriter = ({ compiler, at, field, nodes }: Selection, code: string): Write => {
  const place = placeOf(at, code)
  const write = writeValue(compiler, field.type, nodes)
  const known = new Map<string, string>()
  return (row, run) => {
    const found = row[place]
    if (found === null || found === undefined) return null
    let text = known.get(found)
    if (text === undefined) {
      text = write(currencyOf(found), run) as string
      known.set(found, text)
    }
    return text
  }
}

/** The amount with its currency. Null if one of them is null. */
export const moneyOf = <A extends string, C extends string>(
  amount: A,
  code: C,
): Read<Of<A, bigint | null> & Of<C, string | null>, Money> =>
  read(
    (row: Of<A, bigint | null> & Of<C, string | null>) => optionalMoney(row[amount], row[code]) as Money,
    (selection) => {
      const { compiler, at } = selection
      const [amountAt, codeAt] = [placeOf(at, amount), placeOf(at, code)]
      const type = getNamedType(selection.field.type) as GraphQLObjectType
      const write = joined(
        compiler.subfields(type, selection.nodes).map(([key, nodes]): [string, string | Write] => {
          const name = nameOf(nodes)
          const field = type.getFields()[name]
          if (!field) return [key, `"${type.name}"`]
          if (name === 'amount') return [key, compiler.column({ ...selection, field, nodes }, amount)]
          if (name === 'currency') return [key, currencyWriter({ ...selection, field, nodes }, code)]
          const part = writeResolved(compiler, field, nodes)
          return [key, (row, run) => part(money(BigInt(row[amountAt] ?? 0), row[codeAt] ?? ''), run)]
        }),
      )
      return (row, run) => (row[amountAt] === null || row[codeAt] === null ? null : write(row, run))
    },
  )

/** The first value that is not null. */
export const firstOf = <R, T, S, U>(one: Read<R, T>, other: Read<S, U>): Read<R & S, T | U> =>
  read(
    (row: R & S, args: object, context: Context) =>
      one.resolve(row, args, context) ?? other.resolve(row, args, context),
    (selection) => {
      const [write, instead] = [one.extensions.compile(selection), other.extensions.compile(selection)]
      return (row, run) => write(row, run) ?? instead(row, run)
    },
  )

/** The value, unless `check` throws for the caller. */
export const guarded = <R, T>(check: (caller: Caller) => void, of: Read<R, T>): Read<R, T> =>
  read(
    (row: R, args: object, context: Context) => {
      check(context.caller)
      return of.resolve(row, args, context)
    },
    (selection) => {
      const write = of.extensions.compile(selection)
      return (row, run) => {
        check(run.caller)
        return write(row, run)
      }
    },
  )

/** Computed synchronously from these columns of a row `R`. */
export const from =
  <R>() =>
  <const C extends keyof R & string, T, A = object>(
    names: readonly C[],
    resolve: (row: Pick<R, C>, args: A, context: Context) => T,
  ): Read<Pick<R, C>, T, A> =>
    read(resolve, ({ compiler, at, field, nodes }) => {
      const columns = names.map((name) => {
        const column = at.columnOf(name)
        if (column === null) return { name, place: -1, decode: () => null }
        return { name, place: at.level.place(column), decode: compiler.columnType(at.level, column).decode }
      })
      const args = argsOf(field, nodes)
      const write = writeValue(compiler, field.type, nodes)
      return (row, run: Run) => {
        const view: Record<string, unknown> = {}
        for (const { name, place, decode } of columns) {
          const text = row[place]
          view[name] = text === null || text === undefined ? null : decode(text)
        }
        return write(resolve(view as Pick<R, C>, args(run) as A, run.context), run)
      }
    })
