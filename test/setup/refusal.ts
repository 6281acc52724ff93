import { ApiError } from '#core/errors.ts'

/** Status, code and details of the error that the call ends with, or `accepted`. Anything but an ApiError fails the test. */
export const refusalOf = async (call: () => unknown) => {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, code: error.code, ...error.details }
  }
  return 'accepted'
}
