// Generates the Prisma client from schema.prisma. The `prisma` package would do the same, but is 220 MB with its studio and its local server.
// The generator declares @prisma/config and @prisma/client-engine-runtime, and loads neither. They would be 46 MB with what they need, so
// package.json puts a small package of Prisma's in their places.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// The ES modules of these packages import files that do not exist.
const require = createRequire(import.meta.url)
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
const { getGenerators, loadSchemaContext } = require('@prisma/internals')

// Any executable will do. The generator needs no engine, and would download one.
process.env.PRISMA_SCHEMA_ENGINE_BINARY = process.execPath
const schema = fileURLToPath(new URL('../schema.prisma', import.meta.url))
const generators = await getGenerators({
  schemaContext: await loadSchemaContext({ schemaPath: { cliProvidedPath: schema }, printLoadMessage: false }),
  registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  skipDownload: true,
  cliCommand: 'generate',
})
for (const generator of generators) {
  await generator.generate()
  generator.stop()
}
