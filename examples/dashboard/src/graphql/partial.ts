// An answer in which some fields failed. Such a field is null, which would look like an answer.
import type { CombinedError } from 'urql'
import { type Failure, failureOfField } from './failure.ts'

type Path = readonly (string | number)[]
type Parent = Readonly<Record<string | number, unknown>> | null | undefined

export interface Partial<Data> {
  readonly data: Data
  /** Why a field is not known, by its path: `transaction.ledgerMovements`. */
  readonly lost: ReadonlyMap<string, Failure>
}

/** Puts what is known from before in place of the fields that failed. Fields of list items are left out, because lists move. */
export const complete = <Data>(
  data: Data,
  error: CombinedError | undefined,
  before: Data | undefined,
): Partial<Data> => {
  let whole: unknown = data
  const lost = new Map<string, Failure>()
  for (const field of error?.graphQLErrors ?? []) {
    const path = pathOfNull(data, field.path ?? [])
    const isInList = path.some((key) => typeof key === 'number')
    const known = isInList ? null : valueAt(before, path)
    if (known === null || known === undefined) lost.set(path.join('.'), failureOfField(field))
    else whole = withValue(whole, path, known)
  }
  return { data: whole as Data, lost }
}

/** The path of the field that failed, or of its nearest parent that could be null. */
const pathOfNull = (data: unknown, path: Path): Path => {
  const depth = path.findIndex((_key, index) => (valueAt(data, path.slice(0, index + 1)) ?? null) === null)
  return depth < 0 ? path : path.slice(0, depth + 1)
}

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Parent)?.[key], data)

const withValue = (data: unknown, [key, ...rest]: Path, value: unknown): unknown =>
  key === undefined ? value : { ...(data as object), [key]: withValue((data as Parent)?.[key], rest, value) }
