// Reports whether this process should receive requests.
import { appliedMigrations } from '#database/db.ts'
import { migrationNames } from '#database/migrations.ts'

let isStopping = false

/** Marks this process as not ready until it ends. */
export const stopBeingReady = () => {
  isStopping = true
}

/** The reason why this process is not ready, or null if it is. */
export const whyNotReady = async (): Promise<'stopping' | 'database' | 'migrations' | null> => {
  if (isStopping) return 'stopping'
  try {
    const applied = new Set(await appliedMigrations())
    return migrationNames().every((name) => applied.has(name)) ? null : 'migrations'
  } catch {
    return 'database'
  }
}
