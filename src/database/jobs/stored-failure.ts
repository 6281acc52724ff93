/** What the queue stores of a failure. Messages of the original may contain user input. */
export const storedMessage = (error: unknown): string => {
  const { name, code } = Object(error)
  return [name, code].filter((part) => typeof part === 'string').join(' ')
}

/** An error that graphile-worker stores with that message. */
export class StoredFailure extends Error {
  constructor(cause: unknown) {
    super(storedMessage(cause), { cause })
  }
}
