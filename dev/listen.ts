// Follows the event stream of a gateway over REST, and posts each event with the headers of a webhook.
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'

interface Listening {
  readonly to: string
  readonly from: string
  readonly token: string
}

const AGAIN_AFTER_MS = 1_000

/** Never ends by itself: it resumes whenever the stream ends. An event is not sent again if the endpoint fails. */
export const listen = async ({ to, from, token }: Listening): Promise<never> => {
  const post = createSender(to)
  const headers = { authorization: `Basic ${Buffer.from(token).toString('base64')}` }
  let cursor = ''
  for (;;) {
    try {
      const url = new URL('/2025-10-13/webhooks/events/stream', from)
      const response = await fetch(url, { headers: { ...headers, ...(cursor && { 'last-event-id': cursor }) } })
      if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`)
      const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      for await (const { event = '', id, data } of messages) {
        if (event === 'error') console.error(data)
        else if (event === 'cursor') {
          if (cursor === '') console.log(`Listening to ${from}. Events go to ${to}.`)
        } else await post(event, data)
        cursor = id ?? cursor
      }
    } catch (error) {
      console.error(`The stream was interrupted: ${error instanceof Error ? error.message : error}`)
    }
    await wait(AGAIN_AFTER_MS)
  }
}

/** Makes the keys, and prints what the receiver needs to verify the events. */
const createSender = (to: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const secret = randomBytes(32)
  console.log(`X-Service-Signature can be verified with
${publicKey.export({ type: 'spki', format: 'pem' })}
webhook-signature can be verified with whsec_${secret.toString('base64')}
`)
  return async (type: string, body: string) => {
    const { id } = JSON.parse(body) as { id: string }
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
    const signature = sign('sha256', Buffer.from(body), privateKey).toString('base64')
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': JSON.stringify({ v: '1', s: signature }),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${mac}`,
    }
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual' }).then(
      ({ status }) => String(status),
      () => 'no answer',
    )
    console.log(`${type} ${id} → ${answer}`)
  }
}
