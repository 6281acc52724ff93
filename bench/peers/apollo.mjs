import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { contextOf, resolvers } from './resolvers.mjs'
import { schema } from './schema.mjs'
import { isListening } from './server.mjs'

const server = new ApolloServer({ typeDefs: schema, resolvers })
const { url } = await startStandaloneServer(server, { context: contextOf, listen: { port: 0 } })
isListening(url)
