import Fastify from 'fastify'
import mercurius from 'mercurius'
import { contextOf, resolvers } from './resolvers.mjs'
import { schema } from './schema.mjs'
import { isListening } from './server.mjs'

const app = Fastify()
// The first execution is compiled already.
app.register(mercurius, { schema, resolvers, context: contextOf, jit: 1, graphiql: false })
await app.listen({ port: 0 })
isListening(`http://localhost:${app.server.address().port}/graphql`)
