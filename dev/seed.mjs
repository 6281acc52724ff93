// `npm run seed`: the demo, and as many transactions beside it as one asks for.
import { command } from './command.mjs'

const help = `npm run seed [-- options]

  Writes the demo if it is not there, into DATABASE_URL or into the PostgreSQL of \`npm start\`, running or not.

  --transactions N   then N transactions more, with customers, accounts, cards and quotes to go with them
  --platform NAME    whose they are: demo (unless set) or other
  --help             this text
`

await command({
  name: 'npm run seed',
  help,
  options: { transactions: { type: 'string' }, platform: { type: 'string', default: 'demo' } },
  problemOf: ({ transactions }) =>
    transactions !== undefined &&
    !/^[1-9]\d{0,8}$/.test(transactions) &&
    `--transactions is not a number above zero: ${transactions}.`,
  run: async ({ platform, transactions }) => {
    const { seed } = await import('./seed.ts')
    await seed({ platform, transactions: Number(transactions ?? 0) })
  },
})
