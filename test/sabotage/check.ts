/**
 * One check, and how to take it out: the exact text in its file, and what stands there instead. `alsoHeldBy` says why no test can miss
 * it: what refuses the same. Such a check is a second line of defence, or is there for the compiler.
 */
export type Check = readonly [name: string, text: string, replacement: string, alsoHeldBy?: string]

export interface Checked {
  /** Under src/, without `.ts`. */
  readonly file: string
  /** The test files that are likely to notice, without `.test.ts`. All others are asked when these do not. */
  readonly tests: readonly string[]
  readonly checks: readonly Check[]
}
