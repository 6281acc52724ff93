// Amounts that a person types.

/** Commas only separate thousands. `100,50` is refused, because it is meant as a decimal comma. */
const AMOUNT = /^([1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.(\d+))?$/

/** `12.50` in a currency with two decimals as 1250, or the reason why it is not an amount. */
export const parseAmount = (text: string, decimals: number): { amount: number } | { problem: string } => {
  const [, whole, rest = ''] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined) return { problem: 'Not an amount. Write decimals after a point, for example 12.50' }
  if (rest.length > decimals)
    return { problem: decimals === 0 ? 'This currency has no decimals' : `At most ${decimals} decimals` }
  const amount = Number(BigInt(whole.replaceAll(',', '') + rest.padEnd(decimals, '0')))
  return Number.isSafeInteger(amount) ? { amount } : { problem: 'Too much' }
}

/** What a typed amount becomes, as a help text at its field; undefined while it is not an amount. */
export const sentAs = (text: string, { code, decimals }: { readonly code: string; readonly decimals: number }) => {
  const parsed = parseAmount(text, decimals)
  return 'amount' in parsed ? `Sent as ${parsed.amount}, the smallest unit of ${code}` : undefined
}
