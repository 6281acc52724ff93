// Sends a webhook to the address that its platform chose.
import { HOP_HEADER } from '#http/hop-header.ts'
import { call, type Outgoing, type Reply } from '#http/outgoing/call.ts'

export interface Posted extends Outgoing {
  readonly body: Buffer
}

/** Throws only when `signal` ends it. */
export const post = (outgoing: Posted): Promise<Reply> =>
  call({
    ...outgoing,
    headers: { 'user-agent': 'Paygraph-Webhooks/1', ...outgoing.headers, [HOP_HEADER]: '1' },
  })
