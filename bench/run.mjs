// `npm run bench`: compares the gateway with a minimal server, and small tables with large ones.
import { command } from '../dev/command.mjs'

const help = `npm run bench [-- options]

  Prints ratios and compares them with the budgets. The databases are kept for the next run, in .data/bench or on the server at
  DATABASE_URL.

  --rows N,…     number of transactions (default 10000); further sizes are compared with the first
  --seconds N    length of each round (default 2)
  --peers        also compare with PostGraphile, Mercurius and Apollo Server, which this installs in bench/peers
  --chart        instead, draw docs/query-of-record.svg from the last run with --peers
  --lists        instead, read 500 random combinations of filters, parents and cursors at each size, and report buffers and the worst
  --ranges       instead, divide a copy of the transactions by month and report what it costs and gains
  --scale        instead, compare two gateways with one, a million waiting jobs with none, and Citus (at CITUS) with one Postgres
  --soak N       instead, apply steady load at 80 % of capacity for N minutes and report memory and connections every minute
  --help         show this text
`

await command({
  name: 'npm run bench',
  help,
  options: {
    rows: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '2' },
    soak: { type: 'string', default: '0' },
    peers: { type: 'boolean', default: false },
    ranges: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    chart: { type: 'boolean', default: false },
  },
  problemOf: ({ rows, seconds, soak }) => {
    if (!/^\d{1,4}$/.test(soak)) return `--soak must be a number of minutes, not ${soak}.`
    if (!/^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/.test(rows)) return `--rows must be a list of positive integers, not ${rows}.`
    return Number(seconds) > 0 ? undefined : `--seconds must be a positive number, not ${seconds}.`
  },
  forTests: true,
  run: async ({ rows, seconds, soak, scale, lists, peers, chart, ranges }) => {
    const { register } = await import('tsx/esm/api')
    register()
    if (chart) return (await import('./chart.ts')).drawChart()
    if (ranges) return (await import('./ranges.ts')).measureRanges(Math.max(...rows.split(',').map(Number)))
    const { bench } = await import('./bench.ts')
    await bench({
      sizes: rows.split(',').map(Number),
      seconds: Number(seconds),
      soakMinutes: Number(soak),
      isOfScale: scale,
      isOfLists: lists,
      withPeers: peers,
    })
  },
})
