import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

// A house of planted imports, under the very rules of this one.
const house = mkdtempSync(join(tmpdir(), 'house-'))
afterAll(() => rmSync(house, { recursive: true }))
copyFileSync('.biome.json', join(house, '.biome.json'))

/** What the linter says of a file at this path that imports this. */
const lint = (path: string, imported: string) => {
  mkdirSync(join(house, dirname(path)), { recursive: true })
  writeFileSync(join(house, path), `import { planted } from '${imported}'\n\nexport const used = planted\n`)
  const { stdout, stderr } = spawnSync(
    resolve('node_modules/.bin/biome'),
    ['lint', '--only=style/noRestrictedImports', path],
    {
      cwd: house,
      encoding: 'utf8',
    },
  )
  return `${stdout}${stderr}`
}

describe('imports point towards parents, and the layers hold', () => {
  it.each([
    ['the core stands alone', 'src/core/planted.ts', '#cards/card.ts'],
    ['the core knows no face', 'src/core/planted.ts', 'graphql'],
    ['the domain knows no GraphQL', 'src/cards/planted.ts', '#graphql/builder.ts'],
    ['the domain knows no resolver of another slice', 'src/cards/planted.ts', '#accounts/graphql-account-info.ts'],
    ['the domain knows no HTTP', 'src/cards/planted.ts', 'hono'],
    ['resolvers write no SQL', 'src/cards/graphql.ts', '#core/db.ts'],
    ['resolvers know no REST', 'src/cards/graphql-links.ts', '#rest/router.ts'],
    ['REST writes no SQL', 'src/cards/rest.ts', '#core/db.ts'],
    ['REST knows no GraphQL', 'src/cards/rest-body.ts', '#graphql/builder.ts'],
    ['no file reaches up', 'src/cards/planted.ts', '../core/db.ts'],
  ])('%s', (_rule, path, imported) => {
    expect(lint(path, imported)).toContain('noRestrictedImports')
  })

  it('and what the house allows passes', () => {
    expect(lint('src/cards/planted.ts', '#core/db.ts')).toContain('No fixes applied')
    expect(lint('src/cards/planted.ts', '#core/db.ts')).not.toContain('noRestrictedImports')
  })
})
