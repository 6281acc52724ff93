// Writes the GraphQL schema and the OpenAPI contract next to their sources, the page of all operations, and the magic values into their
// page. Needs no database. With `--release`, the schema also becomes the last contract of test/graphql/contract.test.ts.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { lexicographicSortSchema, parse, print, printSchema, visit } from 'graphql'
import { operationsPage } from './operations-page.ts'

process.env['DATABASE_URL'] ??= 'postgresql://nowhere'
process.env['MASTER_KEY'] ??= randomBytes(32).toString('base64')
const schema = lexicographicSortSchema((await import('#schema.ts')).schema)
const { operations, writeContract } = await import('#contract.ts')

/** Does not rewrite a file that already has this text, because others may be reading it. */
const write = (path: string, text: string) => {
  const file = new URL(`../${path}`, import.meta.url)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

write(
  'src/graphql/schema.graphql',
  `# Printed from the source by \`npm run generate\`. Do not edit.\n\n${printSchema(schema)}\n`,
)
if (process.argv.includes('--release')) {
  const bare = visit(parse(printSchema(schema)), {
    StringValue: (_node, key) => (key === 'description' ? null : undefined),
  })
  write('test/graphql/contract-published.graphql', `${print(bare)}\n`)
}
write('src/rest/openapi.json', `${JSON.stringify(writeContract(), null, 2)}\n`)

write('docs/operations.md', operationsPage(operations, schema))

const page = 'domain/sandbox.md'
const { MAGIC_VALUES_TEXT } = await import('#sandbox/scenarios.ts')
const marks = ['<!-- magic values -->', '<!-- end of magic values -->'] as const
write(
  `docs/${page}`,
  readFileSync(new URL(`../docs/${page}`, import.meta.url), 'utf8').replace(
    new RegExp(`${marks[0]}.*${marks[1]}`, 's'),
    () => `${marks[0]}\n${MAGIC_VALUES_TEXT}\n${marks[1]}`,
  ),
)
