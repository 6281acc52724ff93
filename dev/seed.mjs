// `npm run seed`: adds the demo, and any number of further transactions.
import { command } from './command.mjs'

const help = `npm run seed [-- options]

  Adds the demo, unless it exists, to the database at DATABASE_URL or to the PostgreSQL of \`npm start\`, which need not be running.

  --transactions N   also add N transactions with customers, accounts, cards and quotes
  --platform NAME    the platform to add them to: demo (default) or other
  --help             show this text
`

await command({
  name: 'npm run seed',
  help,
  options: { transactions: { type: 'string' }, platform: { type: 'string' } },
  problemOf: ({ platform, transactions }) => {
    if (transactions === undefined) return platform !== undefined && '--platform needs --transactions.'
    return !/^[1-9]\d{0,8}$/.test(transactions) && `--transactions must be a positive integer, not ${transactions}.`
  },
  run: async ({ platform = 'demo', transactions }) => {
    const { loadBundled } = await import('./build.mjs')
    const { seed } = await loadBundled('seed')
    await seed({ platform, transactions: Number(transactions ?? 0) })
  },
})
