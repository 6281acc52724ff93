// Writes the GraphQL schema beside its source, for clients, reviewers and code generation. Needs no database.
import { writeFileSync } from 'node:fs'
import { lexicographicSortSchema, printSchema } from 'graphql'

process.env['DATABASE_URL'] ??= 'postgresql://nowhere'
process.env['MASTER_KEY'] ??= Buffer.alloc(32).toString('base64')
const { schema } = await import('#graphql/schema.ts')

writeFileSync(
  new URL('../src/graphql/schema.graphql', import.meta.url),
  `# Printed from the source by \`npm run generate\`. Do not edit.\n\n${printSchema(lexicographicSortSchema(schema))}\n`,
)
