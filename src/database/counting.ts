// A count that takes longer than a statement may is null, so that the page is answered without it.
import { sqlState } from './unit-of-work.ts'

/** The rows of a statement that counts, or undefined if Postgres cancelled it at its time limit. */
export const countedInTime = async <T>(counting: Promise<T>): Promise<T | undefined> => {
  try {
    return await counting
  } catch (error) {
    if (sqlState(error) === '57014') return undefined
    throw error
  }
}

/** A count as Postgres returned it. */
export const countFrom = (text: string | null | undefined): number | null => (text ? Number(text) : null)
