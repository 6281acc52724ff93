// Whether this process should be sent requests.
import { appliedMigrations } from '#database/db.ts'
import { migrationNames } from '#database/migrations.ts'

let isStopping = false

/** For the rest of this process. */
export const stopBeingReady = () => {
  isStopping = true
}

/** Null when it should. */
export const whyNotReady = async (): Promise<'stopping' | 'database' | 'migrations' | null> => {
  if (isStopping) return 'stopping'
  try {
    const applied = new Set(await appliedMigrations())
    return migrationNames().every((name) => applied.has(name)) ? null : 'migrations'
  } catch {
    return 'database'
  }
}
