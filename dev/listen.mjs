// `npm run listen`: sends the events of a platform to an address on this machine, as its webhook endpoint would get them.
import { command } from './command.mjs'

const help = `npm run listen -- --forward-to <url> [options]

  Follows the event stream of a running gateway, and posts each event to the address as a webhook. Ctrl-C stops it.

  --forward-to   where to post, for example http://localhost:3000/webhooks
  --from         the gateway (default http://localhost:4000)
  --token        <client id>:<secret> of an API token with VIEW (default demo:demo-secret)
  --help         show this text

  It signs with keys of its own, which it prints: those of the platform's endpoint stay at the gateway.
`

await command({
  name: 'npm run listen',
  help,
  options: {
    'forward-to': { type: 'string', default: '' },
    from: { type: 'string', default: 'http://localhost:4000' },
    token: { type: 'string', default: 'demo:demo-secret' },
  },
  problemOf: ({ 'forward-to': to, from }) =>
    [
      ['--forward-to', to],
      ['--from', from],
    ]
      .filter(([, url]) => !URL.canParse(url))
      .map(([name]) => `${name} must be an address.`)[0],
  run: async ({ 'forward-to': to, from, token }) => {
    const { loadBundled } = await import('./build.mjs')
    const { listen } = await loadBundled('listen')
    await listen({ to, from, token })
  },
})
