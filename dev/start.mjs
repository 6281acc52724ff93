// `npm start`: everything from a fresh clone to a running gateway.
import { command } from './command.mjs'

const help = `npm start [-- options]

  Installs, generates, starts PostgreSQL, migrates, writes a demo, and serves. Ctrl-C stops all of it.

  --seed         write the demo into the database of DATABASE_URL as well
  --help         this text

  PORT           where to serve, 4000 unless set
  DATABASE_URL   a PostgreSQL of yours, 15 or newer; without it one of its own keeps its data in .data/
  MASTER_KEY     32 random bytes as base64, the root of every key; without it one is made and kept in .data/
`

await command({
  name: 'npm start',
  help,
  options: { seed: { type: 'boolean', default: false } },
  run: async (options) => {
    const { start } = await import('./serve.ts')
    await start(options)
  },
})
