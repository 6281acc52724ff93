// `npm run build`: bundles the gateway with its packages, which loads in less than half the time. At run time it needs production
// dependencies, for files that packages read, and migrations/ next to dist/.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setup } from './setup.mjs'

const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * The first two read files of their own folder at run time. Telemetry is loaded only where it is configured, a bundle hides its names, and
 * it must find the same copy of its API as the gateway. The others are options of packages, and are not installed.
 */
const EXTERNAL = ['@graphql-yoga/render-graphiql', 'swagger-ui-dist', '@opentelemetry/*', 'pg-native', 'typescript']

/** Bundled CommonJS packages require modules of Node. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`

/**
 * Leaves out what the gateway does not use of these packages. They do not declare that loading them has no effect, and their parsers of
 * certificates, which passkeys without attestation do not need, would be a tenth of the time of a start.
 *
 * @type {import('esbuild').Plugin}
 */
export const onlyWhatIsUsed = {
  name: 'only what is used',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^@(simplewebauthn|peculiar)\// }, async ({ path, pluginData, ...from }) =>
      pluginData === onlyWhatIsUsed
        ? undefined
        : { ...(await resolve(path, { ...from, pluginData: onlyWhatIsUsed })), sideEffects: false },
    )
  },
}

/**
 * Bundles graphql-js from its ES modules, so that esbuild leaves out what is not used. By default esbuild takes its CommonJS modules, and
 * loading them takes a tenth of a start. All imports lead to the same copy, because graphql-js compares classes.
 *
 * @type {import('esbuild').Plugin}
 */
const graphqlAsModules = {
  name: 'graphql as modules',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^graphql(\/.+\.js)?$/ }, ({ path, resolveDir }) => {
      const module = path === 'graphql' ? 'graphql/index.mjs' : path.replace(/js$/, 'mjs')
      return resolve(module, { resolveDir, kind: 'import-statement' })
    })
  },
}

// esbuild ignores a map without any position, so this one has one.
const NO_SOURCE_MAP = `\n//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3,"sources":["package"],"mappings":"AAAA"}')}`

/**
 * Leaves packages out of the source map, which the gateway keeps in memory for a minute after a failure: without them it takes 26 instead of 92 MB.
 *
 * @type {import('esbuild').Plugin}
 */
const onlyOwnSources = {
  name: 'only own sources',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')) + NO_SOURCE_MAP,
    }))
  },
}

/**
 * Writes Prisma's query compiler to a separate file, which is read when Prisma decodes it. A bundle would contain it as text, and a process would hold
 * that twice, and the bytes as well. They take 7 MB.
 *
 * @type {import('esbuild').Plugin}
 */
const compilerInFile = {
  name: 'compiler in file',
  setup: ({ onLoad, initialOptions: { outdir } }) => {
    onLoad({ filter: /\.wasm-base64\.mjs$/ }, async ({ path }) => {
      const name = basename(path, '-base64.mjs')
      const { wasm } = await import(pathToFileURL(path))
      await mkdir(outdir, { recursive: true })
      await writeFile(join(outdir, name), Buffer.from(wasm, 'base64'))
      return {
        contents: `import { readFileSync } from 'node:fs'; export const wasm = { valueOf: () => readFileSync(new URL('./${name}', import.meta.url)) }`,
      }
    })
  },
}

export const bundle = async (outdir, entryPoint = 'src/main.ts') => {
  // Imported late, because `npm run build` installs it just before.
  const { build, stop } = await import('esbuild')
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [inProject(entryPoint)],
    outdir,
    bundle: true,
    // Code splitting, so that --help does not load the gateway.
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: EXTERNAL,
    plugins: [onlyWhatIsUsed, graphqlAsModules, compilerInFile, onlyOwnSources],
    banner: { js: REQUIRE },
    // Without this, graphql-js runs checks for developers.
    define: { 'process.env.NODE_ENV': '"production"' },
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    // They are kept in separate files, because a letter beyond Latin-1 in a comment doubles the memory of the whole source.
    legalComments: 'external',
    logLevel: 'warning',
  })
  // Ends the child process of esbuild.
  await stop()
}

/** Loads a module of dev/ from its bundle. */
export const loadBundled = async (name) => {
  const file = await bundleOf('dev', name)
  // Node 20 has no compile cache. A process has one, in the folder of the first bundle that it loads.
  module.enableCompileCache?.(join(dirname(file), '.compile-cache'))
  return import(pathToFileURL(file))
}

/** The bundle of a module of this folder, which is rebuilt after a change. Like dev/, its folder is directly in the project. */
export const bundleOf = async (directory, name) => {
  const folder = inProject(`.bundle-${name}`)
  const file = join(folder, `${name}.js`)
  const sources = ['src', 'dev', directory].flatMap((path) =>
    readdirSync(inProject(path), { recursive: true }).map((entry) => join(inProject(path), entry)),
  )
  const changedAt = (path) => statSync(path).mtimeMs
  const bundledAt = existsSync(file) ? changedAt(file) : 0
  const isCurrent = [...sources, inProject('package-lock.json')].every((path) => changedAt(path) < bundledAt)
  if (!isCurrent) await bundle(folder, `${directory}/${name}.ts`)
  return file
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  await setup()
  await bundle(inProject('dist'))
}
