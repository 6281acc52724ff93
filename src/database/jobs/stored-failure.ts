/** What the queue stores of a failure. Messages of the original may contain user input. */
export const storedMessage = (error: unknown): string => {
  const { name, code } = Object(error)
  return [name, code].filter((part) => typeof part === 'string').join(' ')
}
