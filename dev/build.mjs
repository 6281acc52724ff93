// `npm run build`: bundles the gateway. At run time it needs production dependencies, and schema.prisma and migrations/ next to dist/.
import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { setup } from './setup.mjs'

const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export const bundle = async (outdir) => {
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [inProject('src/main.ts')],
    outdir,
    bundle: true,
    // Code splitting, so that --help does not load the gateway.
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  })
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  await setup()
  await bundle(inProject('dist'))
}
