// Finds the migrations of this release, beside the source or beside the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { StartupError } from '#core/environment.ts'

const PARTS = ['schema.prisma', 'migrations/']

const nearest = (folder: URL): URL => {
  if (PARTS.every((name) => existsSync(new URL(name, folder)))) return folder
  if (folder.pathname === '/') throw new StartupError(`${PARTS.join(' and ')} must be copied next to dist/`)
  return nearest(new URL('..', folder))
}

const root = nearest(new URL('.', import.meta.url))

export const readSchema = () => readFileSync(new URL('schema.prisma', root), 'utf8')

export const migrationNames = () =>
  readdirSync(new URL('migrations/', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

export const readMigration = (path: string) => readFileSync(new URL(`migrations/${path}`, root), 'utf8')

/**
 * The commands of a script. Semicolons in comments, quotes and function bodies do not end a command; those of `BEGIN ATOMIC` would, and
 * Postgres would refuse the parts.
 */
export const commandsOf = (script: string): readonly string[] =>
  script.match(/(?:--.*|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g) ?? []
