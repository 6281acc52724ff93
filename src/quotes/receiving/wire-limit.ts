// Limits how often one address may call what other institutions call. Each process counts for itself.
const AT_MOST = 600
const WINDOW_MS = 60_000
const MOST_ADDRESSES = 10_000

let windowEnds = 0
const calls = new Map<string, number>()

/** 0 for a call within the limit, and otherwise the seconds until the next one is admitted. */
export const countUmaCall = (clientAddress: string | null): number => {
  const now = Date.now()
  // The clock may have been set back.
  const isOver = now > windowEnds || windowEnds - now > WINDOW_MS
  if (isOver || calls.size > MOST_ADDRESSES) {
    calls.clear()
    windowEnds = now + WINDOW_MS
  }
  const address = clientAddress ?? 'in process'
  const count = (calls.get(address) ?? 0) + 1
  calls.set(address, count)
  return count <= AT_MOST ? 0 : Math.max(1, Math.ceil((windowEnds - now) / 1_000))
}
