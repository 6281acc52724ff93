// The production entry: DATABASE_URL and MASTER_KEY from the environment, migrations, then serving until SIGTERM.
import { config } from '#core/config.ts'
import { migrate } from '#core/migrate.ts'
import { serve } from './server.ts'

await migrate(config.databaseUrl)
const gateway = await serve({ port: config.port })
process.stdout.write(`Serving ${gateway.url}\n`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void gateway.close().then(() => process.exit(0)))
}
