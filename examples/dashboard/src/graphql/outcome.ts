// What came of a change: its payload, or why there is none.
import type { OperationResult } from 'urql'
import { type Failure, failureOfChange, failureOfProblem } from './failure.ts'

type Payload<Data> = NonNullable<Exclude<Data[keyof Data], string | undefined>>
export type Success<Data> = Exclude<Payload<Data>, { readonly code: unknown }>
export type Outcome<Data> =
  | { readonly success: Success<Data>; readonly failure?: undefined }
  | { readonly success?: undefined; readonly failure: Failure }

/** A change that was made is a success, even if a field of its payload could not be loaded. */
export const outcomeOf = <Data>({ data, error }: Pick<OperationResult<Data>, 'data' | 'error'>): Outcome<Data> => {
  const payload = Object.entries((data ?? {}) as object).find(([name]) => name !== '__typename')?.[1]
  if (!payload) return { failure: failureOfChange(error) }
  return 'code' in payload && 'traceId' in payload
    ? { failure: failureOfProblem(payload) }
    : { success: payload as Success<Data> }
}
