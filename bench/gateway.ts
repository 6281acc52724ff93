// Runs the gateway in its own process, and reports how many statements it has sent to the database.
import pg from 'pg'
import { writeCompileCache } from '#core/compile-cache.ts'
import { measureProcess } from '#http/metrics.ts'
import { listen, serve } from '#server.ts'
import { usage } from './usage.ts'

let statements = 0
const { query } = pg.Client.prototype
const counted = function (this: pg.Client, ...args: unknown[]) {
  // The gateway may send several together.
  statements += (args[0] as { readonly statements?: readonly unknown[] }).statements?.length ?? 1
  return Reflect.apply(query, this, args)
}

// Counts only after it has first been asked, so that earlier rounds are not slowed down.
process.on('message', (question) => {
  if (question === 'statements') pg.Client.prototype.query = counted as typeof query
  process.send?.({ statements, ...usage() })
})

measureProcess()
// Without jobs, a round measures only the calls.
const { url } = await (process.env['WITH_JOBS'] === 'false' ? listen : serve)({ port: 0 })
writeCompileCache()
process.send?.({ url })
process.on('disconnect', () => process.exit())
