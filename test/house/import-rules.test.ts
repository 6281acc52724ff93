import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The folders of `src/`, parents first, in the order of the rule. */
const ORDER = readFileSync('.biome/layers.grit', 'utf8')
  .match(/#\(\?:([\w|]+)\)/)?.[1]
  ?.split('|')
  .toSpliced(0, 0, 'core') as string[]

const FACES: readonly (readonly [rule: string, path: string, imported: string])[] = [
  ['the core stands alone', 'src/core/planted.ts', '#cards/card.ts'],
  ['the core knows no GraphQL', 'src/core/planted-graphql.ts', 'graphql'],
  ['the domain knows no GraphQL', 'src/cards/planted.ts', '#graphql/builder.ts'],
  ['the domain knows no resolver of another slice', 'src/cards/planted-face.ts', '#accounts/graphql-account-info.ts'],
  ['the domain knows no resolver of a nested folder', 'src/agents/me/planted.ts', '#agents/policy/graphql.ts'],
  ['the domain knows no HTTP', 'src/cards/planted-hono.ts', 'hono'],
  ['resolvers run no SQL', 'src/cards/graphql.ts', '#database/db.ts'],
  ['resolvers of nested folders run no SQL', 'src/agents/policy/graphql.ts', '#database/db.ts'],
  ['resolvers know no REST', 'src/cards/graphql-links.ts', '#rest/router.ts'],
  ['REST runs no SQL', 'src/cards/rest.ts', '#database/db.ts'],
  ['REST knows no GraphQL', 'src/cards/rest-body.ts', '#graphql/builder.ts'],
  ['no file reaches up by a relative path', 'src/cards/planted-up.ts', '../core/errors.ts'],
]
const ALLOWED = ['src/cards/allowed.ts', '#database/db.ts'] as const

const house = mkdtempSync(join(tmpdir(), 'house-'))
afterAll(() => rmSync(house, { recursive: true }))

const plant = (path: string, imported: string) => {
  mkdirSync(join(house, dirname(path)), { recursive: true })
  writeFileSync(join(house, path), `import { planted } from '${imported}'\n\nexport const used = planted\n`)
}

const upward = ORDER.flatMap((from, place) => ORDER.slice(place + 1).map((to) => ({ from, to })))
const pathOf = (from: string, to: string) => `src/${from}/between/${from}-imports-${to}.ts`

/** The files that the linter rejects, with its messages. */
let refused: Map<string, string>

beforeAll(() => {
  for (const name of ['.biome.json', '.biome']) cpSync(name, join(house, name), { recursive: true })
  for (const [, path, imported] of FACES) plant(path, imported)
  for (const { from, to } of upward) {
    plant(pathOf(from, to), `#${to}/planted.ts`)
    plant(pathOf(to, from), `#${from}/planted.ts`)
  }
  plant('src/agents/assembly.ts', '#schema.ts')
  plant(...ALLOWED)
  const { stdout } = spawnSync(
    resolve('node_modules/.bin/biome'),
    ['lint', '--only=style/noRestrictedImports', '--only=plugin', '--reporter=json', '--max-diagnostics=none'],
    { cwd: house, encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string; location: { path: string } }[] }
  refused = new Map(diagnostics.map(({ location, message }) => [location.path.replace(/^\.\//, ''), message]))
})

describe('imports point towards parent folders', () => {
  it('every folder has a place in the order', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const names = folders.map(({ name }) => name).filter((name) => name !== 'generated')
    expect([...ORDER].sort()).toEqual(names.sort())
  })

  it('a folder may import from those before it, and from none after it', () => {
    expect(upward.filter(({ from, to }) => !refused.has(pathOf(from, to)))).toEqual([])
    const children = upward.filter(({ from }) => !['graphql', 'rest'].includes(from))
    const wronglyRefused = children.filter(
      ({ from, to }) => refused.get(pathOf(to, from)) === 'Imports point towards parents.',
    )
    expect(wronglyRefused).toEqual([])
  })

  it('no folder imports the files that assemble the folders', () => {
    expect(refused.has('src/agents/assembly.ts')).toBe(true)
  })
})

describe('the layers are enforced', () => {
  it.each(FACES)('%s', (_rule, path) => {
    expect(refused.has(path)).toBe(true)
  })

  it('allowed imports pass', () => {
    expect(refused.has(ALLOWED[0])).toBe(false)
  })
})

describe('what is installed suffices', () => {
  /** The modules of the commands that do without the development packages. */
  const modules = readdirSync('dev')
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => readFileSync(join('dev', name), 'utf8'))
    .filter((source) => !source.includes('forTests: true'))
    .flatMap((source) => [...source.matchAll(/loadBundled\('(\w+)'\)/g)].map(([, name]) => `dev/${name}.ts`))
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const installed = Object.keys({ ...dependencies, ...optionalDependencies })

  const bundled = async (module: string) => {
    const { metafile } = await build({
      entryPoints: [module],
      bundle: true,
      write: false,
      outdir: 'nowhere',
      splitting: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      metafile: true,
    })
    return metafile
  }

  it.each(['src/main.ts', ...modules])('for %s', async (module) => {
    const { outputs } = await bundled(module)
    const imported = Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ path, external }) => external === true && !isBuiltin(path))
      .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0])
    // Commands for a running gateway may need no package.
    if (module === 'src/main.ts') expect(imported).toContain('graphql')
    expect(imported.filter((name) => !installed.includes(`${name}`))).toEqual([])
  })

  it('npm start needs no generated code before it generates it', async () => {
    const { inputs } = await bundled('dev/start.ts')
    expect(Object.keys(inputs)).toContain('src/database/migrate.ts')
    expect(Object.keys(inputs).filter((path) => path.startsWith('src/generated/'))).toEqual([])
  })

  it('a command imports a package only after it was installed', () => {
    const commands = readdirSync('dev').filter((name) => name.endsWith('.mjs'))
    const early = commands.flatMap((name) =>
      [...readFileSync(join('dev', name), 'utf8').matchAll(/^import .* from '(.+)'/gm)].flatMap(([, from = '']) =>
        from.startsWith('.') || isBuiltin(from) ? [] : `${name}: ${from}`,
      ),
    )
    expect(early).toEqual([])
  })
})
