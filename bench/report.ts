// Formats results and compares them with their budgets.
export interface Line {
  readonly measure: string
  readonly value: string
  readonly budget?: string
  readonly isOk?: boolean
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

export const atLeast = (measure: string, value: number, budget: number): Line => ({
  measure,
  value: value.toFixed(2),
  budget: `≥ ${budget.toFixed(2)}`,
  isOk: value >= budget,
})

export const atMost = (measure: string, value: number, budget: number): Line => ({
  measure,
  value: value.toFixed(2),
  budget: `≤ ${budget.toFixed(2)}`,
  isOk: value <= budget,
})

export const tableOf = (lines: readonly Line[]): string => {
  const width = Math.max(...lines.map(({ measure }) => measure.length))
  return lines
    .map(({ measure, value, budget = '', isOk }) => {
      const mark = isOk === undefined ? '' : isOk ? 'ok' : 'over'
      return `${measure.padEnd(width)}  ${value.padStart(9)}  ${budget.padEnd(6)}  ${mark}`.trimEnd()
    })
    .join('\n')
}
