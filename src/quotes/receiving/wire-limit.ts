// Limits how often one address may call what other institutions call. Each process counts for itself.
const AT_MOST = 600
const WINDOW_MS = 60_000
const MOST_ADDRESSES = 10_000

let windowEnds = 0
const calls = new Map<string, number>()

/** False over the limit. */
export const admitUmaCall = (clientAddress: string | null): boolean => {
  const now = Date.now()
  if (now > windowEnds || calls.size > MOST_ADDRESSES) {
    calls.clear()
    windowEnds = now + WINDOW_MS
  }
  const address = clientAddress ?? 'in process'
  const count = (calls.get(address) ?? 0) + 1
  calls.set(address, count)
  return count <= AT_MOST
}
