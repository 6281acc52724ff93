// `npm start`: takes a fresh clone to a running gateway.
import { command } from './command.mjs'
import { clientIsCurrent, generateClient, installPackages } from './setup.mjs'

const help = `npm start [-- options]

  Installs dependencies, generates code, starts PostgreSQL, migrates, seeds the demo, and serves. Ctrl-C stops everything.

  --seed         also seed the demo into the database at DATABASE_URL
  --help         show this text

  PORT           the port to listen on (default 4000)
  HOST           the address to listen on (default 127.0.0.1 with the demo, otherwise all)
  DATABASE_URL   your own PostgreSQL, 15 or newer (default: an embedded server with its data in .data/)
  MASTER_KEY     32 random bytes in base64 from which all keys are derived (default: generated and stored in .data/)
`

await command({
  name: 'npm start',
  help,
  options: { seed: { type: 'boolean', default: false } },
  prepare: installPackages,
  run: async (options) => {
    const { loadBundled } = await import('./build.mjs')
    const { start } = await loadBundled('start')
    const loadGateway = async () => {
      if (!clientIsCurrent()) await generateClient()
      return loadBundled('serve')
    }
    await start(loadGateway, options)
  },
})
