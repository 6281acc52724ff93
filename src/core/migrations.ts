// The migrations of this release: files beside the source, or beside what was built from it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const nearestWith = (name: string, folder: URL): URL => {
  if (existsSync(new URL(name, folder))) return folder
  if (folder.pathname === '/') throw new Error(`${name} is missing beside the gateway`)
  return nearestWith(name, new URL('..', folder))
}

const root = nearestWith('schema.prisma', new URL('.', import.meta.url))

export const readSchema = () => readFileSync(new URL('schema.prisma', root), 'utf8')

export const migrationNames = () =>
  readdirSync(new URL('migrations/', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

export const readMigration = (path: string) => readFileSync(new URL(`migrations/${path}`, root), 'utf8')
