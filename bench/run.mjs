// `npm run bench`: how fast the gateway is beside the least that could answer, and whether it stays so as the table grows.
import { command } from '../dev/command.mjs'

const help = `npm run bench [-- options]

  Prints ratios and marks them against the budgets. The databases are kept for the next run: in .data/bench, or on the server of DATABASE_URL.

  --rows N,…     transactions of the platform, 10000 unless set; with several, pages and counts of each are compared with the first
  --seconds N    length of each measured round, 2 unless set
  --soak N       N minutes of steady load at 80 % of capacity instead: memory and connections, minute by minute
  --help         this text
`

await command({
  name: 'npm run bench',
  help,
  options: {
    rows: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '2' },
    soak: { type: 'string', default: '0' },
  },
  problemOf: ({ rows, seconds, soak }) => {
    if (!/^\d{1,4}$/.test(soak)) return `--soak is not a number of minutes: ${soak}.`
    if (!/^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/.test(rows)) return `--rows is not a list of numbers above zero: ${rows}.`
    return Number(seconds) > 0 ? undefined : `--seconds is not a number above zero: ${seconds}.`
  },
  run: async ({ rows, seconds, soak }) => {
    const { bench } = await import('./bench.ts')
    await bench({ sizes: rows.split(',').map(Number), seconds: Number(seconds), soakMinutes: Number(soak) })
  },
})
