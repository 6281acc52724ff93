// Finds the migrations of this release, beside the source or beside the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { StartupError } from '#core/environment.ts'

const nearest = (folder: URL): URL => {
  const migrations = new URL('migrations/', folder)
  if (existsSync(migrations)) return migrations
  if (folder.pathname === '/') throw new StartupError('migrations/ must be copied next to dist/')
  return nearest(new URL('..', folder))
}

const folder = nearest(new URL('.', import.meta.url))

export const migrationNames = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

export const readMigration = (path: string) => readFileSync(new URL(path, folder), 'utf8')

/**
 * The commands of a script. Semicolons in comments, quotes and function bodies do not end a command; those of `BEGIN ATOMIC` would, and
 * Postgres would refuse the parts.
 */
export const commandsOf = (script: string): readonly string[] =>
  script.match(/(?:--.*|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g) ?? []
