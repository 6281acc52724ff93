// Whatever the tests of a file ask over REST, the contract must list the status of the answer for the operation.
import { readFileSync } from 'node:fs'
import { afterAll, expect, vi } from 'vitest'

const BASE = '/2025-10-13'

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
}

const contract = JSON.parse(readFileSync('src/rest/openapi.json', 'utf8')) as Contract

/** Paths with fewer parameters come first, because `/agents/{agentId}` would match `/agents/approvals`. */
const operations = Object.entries(contract.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      statuses: Object.keys(responses),
    })),
  )
  .toSorted((one, other) => one.name.split('{').length - other.name.split('{').length)
  .map((operation) => ({ ...operation, pattern: new RegExp(`^${operation.name.replaceAll(/{\w+}/g, '[^/]+')}$`) }))

/** Shared, because files in one process share the app, which checks for all of them. */
const shared = globalThis as { unlistedStatuses?: Set<string>; checkedApp?: typeof import('#app.ts').app }
shared.unlistedStatuses ??= new Set()
const unlisted = shared.unlistedStatuses

const check = ({ method, url }: Request, { status }: Response) => {
  const { pathname } = new URL(url)
  // Another operation's path may also have the form of this one.
  if (!pathname.startsWith(BASE) || status === 405) return
  const call = `${method} ${pathname.replace(BASE, '')}`
  const operation = operations.find(({ pattern }) => pattern.test(call))
  if (operation && !operation.statuses.includes(String(status))) unlisted.add(`${operation.name} ${status}`)
}

vi.mock('#app.ts', async (load) => {
  const { app } = await load<typeof import('#app.ts')>()
  // One for all files: what one of them puts in the place of `fetch` is also called by modules that an earlier file has loaded.
  shared.checkedApp ??= {
    ...app,
    fetch: async (request, address) => {
      const response = await app.fetch(request, address)
      check(request, response)
      return response
    },
  }
  return { app: shared.checkedApp }
})

afterAll(() => {
  const found = [...unlisted]
  unlisted.clear()
  expect(found, 'statuses that the contract does not list').toEqual([])
})
