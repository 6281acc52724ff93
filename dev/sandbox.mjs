// `npm run sandbox`: keeps payments going on a sandbox platform, over the public API of a running gateway.
import { command } from './command.mjs'

const help = `npm run sandbox -- [options]

  Makes payments on a running gateway: deposits, quotes, transfers, payments from UMA addresses that are approved or rejected, cancellations
  and refunds, card purchases, returns and declines, and payments by agents, some of which wait for approval. It creates customers of its
  own, each with a card, and the first five with an agent. Ctrl-C stops it.

  --payments-per-second   how many payments it starts (default 1)
  --minutes               for how long (default 5)
  --customers             how many customers it creates (default 5)
  --from                  the gateway (default http://localhost:4000)
  --token                 <client id>:<secret> of an API token with every permission (default demo:demo-secret)
  --help                  show this text
`

const NUMBERS = ['payments-per-second', 'minutes', 'customers']

await command({
  name: 'npm run sandbox',
  help,
  options: {
    'payments-per-second': { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    customers: { type: 'string', default: '5' },
    from: { type: 'string', default: 'http://localhost:4000' },
    token: { type: 'string', default: 'demo:demo-secret' },
  },
  problemOf: (given) => {
    const wrong = NUMBERS.find((name) => !(Number(given[name]) > 0 && Number(given[name]) <= 1_000))
    if (wrong) return `--${wrong} must be a number above 0, at most 1000.`
    return URL.canParse(given.from) ? undefined : '--from must be an address.'
  },
  run: async ({ 'payments-per-second': rate, minutes, customers, from, token }) => {
    const { loadBundled } = await import('./build.mjs')
    const { live } = await loadBundled('sandbox')
    const world = {
      from,
      token,
      paymentsPerSecond: Number(rate),
      seconds: Number(minutes) * 60,
      customers: Number(customers),
    }
    const { failed } = await live(world).catch((error) => {
      console.error(error.message)
      return { failed: 1 }
    })
    if (failed > 0) process.exitCode = 1
  },
})
