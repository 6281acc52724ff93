// `npm run bench`: how fast the gateway is beside the least that could answer, and whether it stays so as the table grows.
import { parseArgs } from 'node:util'
import { setup } from '../dev/setup.mjs'

const help = `npm run bench [-- options]

  Prints ratios and marks them against the budgets. The databases are kept for the next run: in .data/bench, or on the server of DATABASE_URL.

  --rows N,…     transactions of the platform, 10000 unless set; with several, pages and counts of each are compared with the first
  --seconds N    length of each measured round, 2 unless set
  --help         this text
`

const options = {
  rows: { type: 'string', default: '10000' },
  seconds: { type: 'string', default: '2' },
  help: { type: 'boolean', default: false },
}

const refuse = (message) => {
  console.error(`${message} See npm run bench -- --help`)
  process.exit(1)
}

const parse = () => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${error.message.split('. ')[0]}.`)
  }
}

const { rows, seconds, help: wantsHelp } = parse()
if (wantsHelp) {
  console.log(help)
} else {
  if (!/^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/.test(rows)) refuse(`--rows is not a list of numbers above zero: ${rows}.`)
  if (!(Number(seconds) > 0)) refuse(`--seconds is not a number above zero: ${seconds}.`)
  await setup()
  const { register } = await import('tsx/esm/api')
  register()
  const { bench } = await import('./bench.ts')
  await bench({ sizes: rows.split(',').map(Number), seconds: Number(seconds) })
}
