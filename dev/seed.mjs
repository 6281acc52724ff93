// `npm run seed`: the demo, and as many transactions beside it as one asks for.
import { parseArgs } from 'node:util'
import { setup } from './setup.mjs'

const help = `npm run seed [-- options]

  Writes the demo if it is not there, into DATABASE_URL or into the PostgreSQL of \`npm start\`, running or not.

  --transactions N   then N transactions more, with customers, accounts, cards and quotes to go with them
  --platform NAME    whose they are: demo (unless set) or other
  --help             this text
`

const options = {
  transactions: { type: 'string' },
  platform: { type: 'string', default: 'demo' },
  help: { type: 'boolean', default: false },
}

const refuse = (message) => {
  console.error(`${message} See npm run seed -- --help`)
  process.exit(1)
}

const parse = () => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${error.message.split('. ')[0]}.`)
  }
}

const { transactions, platform, help: wantsHelp } = parse()
if (wantsHelp) {
  console.log(help)
} else {
  if (transactions !== undefined && !/^[1-9]\d{0,8}$/.test(transactions))
    refuse(`--transactions is not a number above zero: ${transactions}.`)
  await setup()
  const { register } = await import('tsx/esm/api')
  register()
  const { seed } = await import('./seed.ts')
  await seed({ platform, transactions: Number(transactions ?? 0) })
}
