// `npm run generate`: writes the Prisma client, the GraphQL schema, the OpenAPI contract and the typed operations of the tests.
import { spawnSync } from 'node:child_process'
import { setup } from './setup.mjs'

await setup()
// Any executable will do. Only migrations use the engine, and otherwise Prisma would download it.
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
for (const command of ['prisma generate', 'tsx dev/print-schema.ts', 'graphql-codegen']) {
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
