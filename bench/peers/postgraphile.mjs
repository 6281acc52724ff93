// PostGraphile makes its schema from the tables, and turns the query into few statements.
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { pgSmartTags } from 'postgraphile/utils'
import { isListening, pool } from './server.mjs'

// It warns of tables that the query does not use.
console.warn = console.error = () => {}

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [
    pgSmartTags([
      // The table and the enum would get the same name.
      { kind: 'class', match: 'public.sca_factors', tags: { name: 'sca_factor_rows' } },
      // With a type for each kind of transaction, the query selects no columns that a row does not use.
      {
        kind: 'class',
        match: 'public.transactions',
        tags: {
          interface: 'mode:single type:type',
          type: ['INCOMING name:IncomingTransaction', 'OUTGOING name:OutgoingTransaction', 'CARD name:CardTransaction'],
        },
      },
    ]),
  ],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafast: { explain: false },
  grafserv: { port: 0, watch: false, graphiql: false },
})
const server = createServer()
await pgl.createServ(grafserv).addTo(server)
server.listen(0, () => isListening(`http://localhost:${server.address().port}/graphql`))
