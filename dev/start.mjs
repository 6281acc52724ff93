// `npm start`: everything from a fresh clone to a running gateway, in one process that receives the signals.
import { parseArgs } from 'node:util'
import { setup } from './setup.mjs'

const help = `npm start [-- options]

  Installs, generates, starts PostgreSQL, migrates, writes a demo, and serves. Ctrl-C stops all of it.

  --seed         write the demo into the database of DATABASE_URL as well
  --help         this text

  PORT           where to serve, 4000 unless set
  DATABASE_URL   a PostgreSQL of yours, 15 or newer; without it one of its own keeps its data in .data/
  MASTER_KEY     32 random bytes as base64, the root of every key; without it one is made and kept in .data/
`

const option = { type: 'boolean', default: false }

const parse = () => {
  try {
    return parseArgs({ options: { seed: option, help: option } }).values
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}. See npm start -- --help`)
    process.exit(1)
  }
}

const { seed, help: wantsHelp } = parse()
if (wantsHelp) {
  console.log(help)
} else {
  await setup()
  const { register } = await import('tsx/esm/api')
  register()
  const { start } = await import('./serve.ts')
  await start({ seed })
}
