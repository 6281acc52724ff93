// Generates the Prisma client from schema.prisma. The `prisma` package would do the same, but is 220 MB with its studio and its local server.
// The generator declares @prisma/config, @prisma/client-engine-runtime and @prisma/schema-engine-wasm, and loads none of them. They would be 51 MB
// with what they need, so package.json puts a small package of Prisma's in their places.
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
 * Leaves out of Prisma's graph of parameters what only nested writes need, which the gateway does not use, and numbers the names by how often
 * they are used. The client keeps the edges of a node in an object whose keys are these numbers, and V8 reserves a place for each number up to
 * the highest. So the graph takes 3 MB of memory instead of 18.
 */
const compactGraph = (serialized) => {
  const graph = deserializeParamGraph(serialized)
  const { strings, outputNodes, roots } = graph
  const isNestedWrite = ({ edges }) =>
    strings.indexOf('connect') in edges || strings.indexOf('connectOrCreate') in edges
  const nestedWrites = new Set([...graph.inputNodes.keys()].filter((id) => isNestedWrite(graph.inputNodes[id])))
  const inputNodes = graph.inputNodes.map(({ edges }) => ({
    edges: Object.fromEntries(Object.entries(edges).filter(([, { childNodeId }]) => !nestedWrites.has(childNodeId))),
  }))

  const used = new Set(
    [...Object.values(roots), ...outputNodes.flatMap(({ edges }) => Object.values(edges))].flatMap(
      ({ argsNodeId }) => argsNodeId ?? [],
    ),
  )
  // A set visits what is added during the visit.
  for (const id of used)
    for (const { childNodeId } of Object.values(inputNodes[id].edges))
      if (childNodeId !== undefined) used.add(childNodeId)
  const ids = new Map([...used].map((id, number) => [id, number]))

  const uses = strings.map(() => 0)
  for (const { edges } of [...[...used].map((id) => inputNodes[id]), ...outputNodes])
    for (const name of Object.keys(edges)) uses[name] += 1
  const order = [...strings.keys()].sort((a, b) => uses[b] - uses[a] || a - b)
  const names = new Map(order.map((old, number) => [old, number]))
  // The serializer leaves out what is undefined.
  const renumbered = ({ enumNameIndex, childNodeId, argsNodeId, ...edge }) => ({
    ...edge,
    enumNameIndex: names.get(enumNameIndex),
    childNodeId: ids.get(childNodeId),
    argsNodeId: ids.get(argsNodeId),
  })
  const renumberedNode = ({ edges }) => ({
    edges: Object.fromEntries(Object.entries(edges).map(([name, edge]) => [names.get(Number(name)), renumbered(edge)])),
  })
  return serializeParamGraph({
    strings: order.map((old) => strings[old]),
    inputNodes: [...used].map((id) => renumberedNode(inputNodes[id])),
    outputNodes: outputNodes.map(renumberedNode),
    roots: Object.fromEntries(Object.entries(roots).map(([name, root]) => [name, renumbered(root)])),
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
