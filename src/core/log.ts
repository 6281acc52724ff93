/** One JSON line on standard error for a failure that the caller is told nothing of. Only what is named here is written, no inputs. */
export const logFailure = (traceId: string, error: unknown) => {
  const { name, message, stack, code } =
    error instanceof Error
      ? (error as Error & { code?: string })
      : { name: typeof error, message: '', stack: '', code: '' }
  process.stderr.write(
    `${JSON.stringify({ level: 'error', time: new Date().toISOString(), traceId, name, code, message, stack })}\n`,
  )
}
