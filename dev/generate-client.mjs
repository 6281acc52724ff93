// Generates the Prisma client from schema.prisma. The `prisma` package would do the same, but is 220 MB with its studio and its local server.
// The generator declares @prisma/config and @prisma/client-engine-runtime, and loads neither. They would be 46 MB with what they need, so
// package.json puts a small package of Prisma's in their places.
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// The ES modules of these packages import files that do not exist.
const require = createRequire(import.meta.url)
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
const { getGenerators, loadSchemaContext } = require('@prisma/internals')
const { deserializeParamGraph, serializeParamGraph } = require('@prisma/param-graph')

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

/**
 * Numbers the names of Prisma's graph of parameters by how often they are used. The client keeps the edges of a node in an object whose keys
 * are these numbers, and V8 reserves a place for each number up to the highest. With low numbers the graph takes 7 MB of memory instead of 18.
 */
const compactGraph = (serialized) => {
  const { strings, inputNodes, outputNodes, roots } = deserializeParamGraph(serialized)
  const uses = strings.map(() => 0)
  for (const { edges } of [...inputNodes, ...outputNodes]) for (const name of Object.keys(edges)) uses[name] += 1
  const order = [...strings.keys()].sort((a, b) => uses[b] - uses[a] || a - b)
  const numbers = new Map(order.map((old, number) => [old, number]))
  const renumbered = ({ edges }) => ({
    edges: Object.fromEntries(
      Object.entries(edges).map(([name, { enumNameIndex, ...edge }]) => [
        numbers.get(Number(name)),
        enumNameIndex === undefined ? edge : { ...edge, enumNameIndex: numbers.get(enumNameIndex) },
      ]),
    ),
  })
  return serializeParamGraph({
    strings: order.map((old) => strings[old]),
    inputNodes: inputNodes.map(renumbered),
    outputNodes: outputNodes.map(renumbered),
    roots,
  })
}

const file = new URL('../src/generated/prisma/internal/class.ts', import.meta.url)
const code = await readFile(file, 'utf8')
const GRAPH = /strings: JSON\.parse\((".*")\),\s+graph: "(.*)"/
const [written, names, graph] = GRAPH.exec(code) ?? []
if (!written) throw new Error('The generated client has no graph of parameters')
const compact = compactGraph({ strings: JSON.parse(JSON.parse(names)), graph })
const json = JSON.stringify(JSON.stringify(compact.strings))
await writeFile(
  file,
  code.replace(written, () => `strings: JSON.parse(${json}),\n  graph: "${compact.graph}"`),
)
