// Writes bodies as `utf8Json`, straight from the rows of a record. Pages of many rows take no objects in between.
import { currencyOf } from '#core/codes/currencies.ts'
import type { Kind, PublicId } from '#core/ids.ts'
import { parseUtf8Json, utf8Json } from '#core/utf8-json.ts'
import { type AnyRecord, type Column, type RecordOf, type RecordType, type Shape, text } from '#database/record.ts'
import type { Row } from '#database/row.ts'
import type { BodyOf, currencyAmountSchema } from './schema.ts'

/** A part of a row as `utf8Json`; undefined if the row has no such part. `T` is the type of the value. */
export interface Part<out T> {
  (row: Row): string | undefined
  readonly value?: () => T
}

type ValueOf<P> = P extends Part<infer T> ? T : never
type Parts = Readonly<Record<string, Part<unknown>>>

/** The value of the part. */
export const valueIn = <T>(part: Part<T>, row: Row): T => {
  const text = part(row)
  return (text === undefined ? undefined : parseUtf8Json(text)) as T
}

type InJson<T> = T extends bigint ? number : T
type Optional<T> = InJson<NonNullable<T>> | (null extends T ? undefined : never)

/** The place of a column in the rows of a record. Rows hold nothing at the place of a column that the record lacks. */
export const placeIn = ({ shape }: AnyRecord, name: string): number => Object.keys(shape).indexOf(name)

/** The columns of a record as parts, absent where they are null. */
export const columnsOf =
  <S extends Shape>(record: RecordType<S>) =>
  <C extends keyof S & string>(name: C): Part<Optional<RecordOf<RecordType<S>>[C]>> =>
    leaf(placeIn(record, name), (record.shape[name] as Column<unknown>).json)

const leaf =
  (place: number, write: (text: string) => string): Part<never> =>
  (row) => {
    const text = row[place]
    return text === null || text === undefined ? undefined : write(text)
  }

export const textAt = (place: number): Part<string | undefined> => leaf(place, text.json)

/** A column of JSON, as Postgres writes it. */
export const jsonAt = <T>(place: number): Part<T | undefined> => leaf(place, utf8Json)

export const publicIdAt = <K extends Kind>(kind: K, place: number): Part<PublicId<K> | undefined> =>
  leaf(place, (uuid) => `"${kind}:${uuid}"`)

/** Absent if the amount or its currency is null. */
export const moneyAt = (amount: number, currency: number): Part<BodyOf<typeof currencyAmountSchema> | undefined> => {
  const currencies = new Map<string, string>()
  const jsonOf = (code: string) => {
    const known = currencies.get(code) ?? utf8Json(JSON.stringify(currencyOf(code)))
    currencies.set(code, known)
    return known
  }
  return ({ [amount]: digits, [currency]: code }) =>
    typeof digits === 'string' && typeof code === 'string'
      ? `{"amount":${digits},"currency":${jsonOf(code)}}`
      : undefined
}

export const constant = <const T extends string>(value: T): Part<T> => {
  const text = utf8Json(JSON.stringify(value))
  return () => text
}

/** Throws if the part is absent. For parts that a CHECK constraint guarantees. */
export const required =
  <T>(part: Part<T>): Part<NonNullable<T>> =>
  (row) => {
    const text = part(row)
    if (text === undefined) throw new Error('A row lacks a required part')
    return text
  }

/** Null instead of absent. */
export const orNull =
  <T>(part: Part<T>): Part<NonNullable<T> | null> =>
  (row) =>
    part(row) ?? 'null'

/** The first part that the row has. */
export const firstOf =
  <T, U>(part: Part<T>, other: Part<U>): Part<NonNullable<T> | U> =>
  (row) =>
    part(row) ?? other(row)

/** Absent unless all these columns have a value. */
export const ifAll =
  <T>(places: readonly number[], part: Part<T>): Part<T | undefined> =>
  (row) =>
    places.every((place) => row[place] !== null && row[place] !== undefined) ? part(row) : undefined

/** Absent if it has no members. */
export const ifAny =
  <T>(part: Part<T>): Part<T | undefined> =>
  (row) => {
    const text = part(row)
    return text === '{}' ? undefined : text
  }

/** The case for the label in a column; absent for any other. */
export const byLabel = <const C extends Parts>(place: number, cases: C): Part<ValueOf<C[keyof C]> | undefined> => {
  const parts = new Map(Object.entries(cases))
  return (row) => parts.get(row[place] ?? '')?.(row)
}

/** An object of the parts that the row has. */
export const object = <const M extends Parts>(members: M): Part<{ readonly [K in keyof M]: ValueOf<M[K]> }> => {
  const named = Object.entries(members).map(([name, part]) => ({ first: `{"${name}":`, next: `,"${name}":`, part }))
  return (row) => {
    let text = ''
    for (const { first, next, part } of named) {
      const member = part(row)
      if (member !== undefined) text += (text === '' ? first : next) + member
    }
    return text === '' ? '{}' : `${text}}`
  }
}

/** The members of both objects, which have none in common. */
export const merged =
  <T, U>(part: Part<T>, other: Part<U>): Part<T & U> =>
  (row) => {
    const [text = '{}', more = '{}'] = [part(row), other(row)]
    return text === '{}' ? more : more === '{}' ? text : `${text.slice(0, -1)},${more.slice(1)}`
  }
