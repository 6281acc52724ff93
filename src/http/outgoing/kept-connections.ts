// Connections that stay open for the next call to the same receiver, so that it costs no new handshake.
import http from 'node:http'
import https from 'node:https'

/** Many servers close an idle connection after 5 s. */
const IDLE_MS = 4_000
/** After it, new connections are opened. They look the name up again, because a receiver can move. */
const USED_MS = 60_000
/** By then the calls that began within `USED_MS` have ended. A receiver that sends without being asked is never idle. */
const CLOSED_MS = 120_000

const newAgents = () => {
  const options = { keepAlive: true, timeout: IDLE_MS }
  const used = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  const close = () => {
    used['http:'].destroy()
    used['https:'].destroy()
  }
  setTimeout(close, CLOSED_MS).unref()
  return { ...used, until: performance.now() + USED_MS }
}

/** A call that may reach public addresses only must not use a connection that was opened without this limit. */
const agents = { toPublic: newAgents(), toAny: newAgents() }

/** The agent of calls with this protocol. Idle connections of earlier agents are closed after `IDLE_MS`, and all after `CLOSED_MS`. */
export const keptConnections = (protocol: string, mayBePrivate: boolean): http.Agent => {
  const reach = mayBePrivate ? 'toAny' : 'toPublic'
  if (agents[reach].until <= performance.now()) agents[reach] = newAgents()
  return agents[reach][protocol === 'https:' ? 'https:' : 'http:']
}
