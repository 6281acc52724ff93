// Writes the GraphQL schema and the OpenAPI contract next to their sources. Needs no database.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { lexicographicSortSchema, printSchema } from 'graphql'

process.env['DATABASE_URL'] ??= 'postgresql://nowhere'
process.env['MASTER_KEY'] ??= randomBytes(32).toString('base64')
const { schema } = await import('#schema.ts')
const { createContract } = await import('#rest/openapi.ts')
const { operations, webhooks } = await import('#contract.ts')

const write = (path: string, text: string) => writeFileSync(new URL(`../src/${path}`, import.meta.url), text)

write(
  'graphql/schema.graphql',
  `# Printed from the source by \`npm run generate\`. Do not edit.\n\n${printSchema(lexicographicSortSchema(schema))}\n`,
)
write('rest/openapi.json', `${JSON.stringify(createContract(operations, webhooks), null, 2)}\n`)
