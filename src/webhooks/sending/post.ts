// Sends a webhook to the address that its platform chose.
import { HOP_HEADER } from '#http/hop-header.ts'
import { call, type Outgoing, type Reply } from '#http/outgoing/call.ts'

export interface Posted extends Outgoing {
  readonly body: Buffer
}

/** The status 409 is no failure: the receiver knows the event already. Throws only when `signal` ends it. */
export const post = async (outgoing: Posted): Promise<Reply> => {
  const reply = await call({
    ...outgoing,
    headers: { 'user-agent': 'Paygraph-Webhooks/1', ...outgoing.headers, [HOP_HEADER]: '1' },
  })
  return reply.status === 409 && reply.failure === 'STATUS' ? { ...reply, failure: null } : reply
}
