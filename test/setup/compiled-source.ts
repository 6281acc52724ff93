// The gateway's source as one file of JavaScript, which a process loads in a fraction of the time that its hundreds of modules and
// packages take. Each module in it is still evaluated when it is first imported.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin, stop, transform } from 'esbuild'
import { onlyWhatIsUsed } from '../../dev/build.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.bundle-tests')

/** Leads the imports of `#core/ids.ts` and others to the compiled modules. */
export const compiledModules = { find: /^#(?!test\/)(.+)\.ts$/, replacement: join(folder, '$1.js') }

/** The address of a compiled module, which Node loads itself. */
export const COMPILED = /\/\.bundle-tests\//

/**
 * Packages whose classes tests share with the gateway, because a bundle has its own copies. The others read files of their own folder,
 * keep state for the whole process, or are options of packages and not installed.
 */
const EXTERNAL = [
  ...['graphql', 'pg', 'pg-protocol', 'zod', '@uma-sdk/core'],
  ...['@graphql-yoga/render-graphiql', 'swagger-ui-dist'],
  ...['@opentelemetry/*', 'pg-native', 'typescript'],
]

/** Bundled CommonJS packages require modules of Node. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`

const common = {
  absWorkingDir: root,
  outdir: folder,
  outbase: 'src',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions

/** A file of the tests that other processes run. */
const PROGRAM = join(root, 'test/setup/payments/job-runner.ts')

/** In that one, too, `#core/ids.ts` leads to the compiled module. */
const PACKAGE = JSON.stringify({ type: 'module', imports: { '#*.ts': './*.js' } })

/** Compiles the source for the tests that start now. */
export const compileSource = async () => {
  const modules = importedModules()
  const [{ outputFiles }, { metafile }] = await Promise.all([
    build({
      ...common,
      entryPoints: { source: 'source' },
      plugins: [loaderOf(modules), onlyWhatIsUsed],
      external: EXTERNAL,
      banner: { js: REQUIRE },
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      sourcemap: true,
      sourcesContent: false,
    }),
    // This build is not written to disk. It only tells the names that each module exports.
    build({
      ...common,
      entryPoints: modules.map((module) => join('src', module)),
      splitting: true,
      packages: 'external',
      metafile: true,
    }),
  ])
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const { code } = await transform(readFileSync(PROGRAM, 'utf8'), { loader: 'ts' })
  files.set(join(folder, 'job-runner.js'), code)
  files.set(join(folder, 'package.json'), PACKAGE)
  // Ends the child process of esbuild.
  await stop()
  for (const { entryPoint, exports } of Object.values(metafile.outputs)) {
    if (!entryPoint) continue
    const module = entryPoint.replace(/^src\//, '')
    files.set(join(folder, module.replace(/ts$/, 'js')), moduleOf(module, exports))
  }
  replaceFiles(files)
}

const IMPORT = /(?:from|import|import\()\s*'#(?!test\/)([^']+\.ts)'/g

/** The modules that tests, and the tools that they use, import. */
const importedModules = (): string[] => {
  const names = ['test', 'dev', 'bench'].flatMap((parent) =>
    readdirSync(join(root, parent), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(join(root, parent, path), 'utf8').matchAll(IMPORT)])
      .map(([, name = '']) => name),
  )
  return [...new Set(names)].sort()
}

/** The entry point. Modules that are imported dynamically are evaluated when they are asked for. */
const loaderOf = (modules: readonly string[]): Plugin => ({
  name: 'loader',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^source$/ }, ({ path }) => ({ path, namespace: 'loader' }))
    onLoad({ filter: /^source$/, namespace: 'loader' }, () => ({
      contents: `export const load = {${modules.map((name) => `'${name}': () => import('./src/${name}')`).join()}}`,
      resolveDir: root,
    }))
  },
})

const moduleOf = (name: string, exports: readonly string[]) => {
  const up = '../'.repeat(name.split('/').length - 1) || './'
  return `import { load } from '${up}source.js'\nexport const { ${exports.join(', ')} } = await load['${name}']()\n`
}

/** Does not rewrite unchanged files, because another run may be loading them. */
const replaceFiles = (files: ReadonlyMap<string, string>) => {
  mkdirSync(folder, { recursive: true })
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /\.(js|map)$/.test(path))
  for (const path of present) if (!files.has(path)) rmSync(path, { force: true })
  for (const [path, text] of files) {
    if (present.includes(path) && readFileSync(path, 'utf8') === text) continue
    mkdirSync(dirname(path), { recursive: true })
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, text)
    renameSync(draft, path)
  }
}
