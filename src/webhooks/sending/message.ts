// What is sent: the event as its envelope, to the endpoint as it is set now, signed with its keys.
import { lookUp, query, sql } from '#database/db.ts'
import { envelopesOf } from '#events/data.ts'
import { type Event, EventRecord } from '#events/event.ts'
import { signerOf } from '#webhooks/signing.ts'
import { mayBePrivate } from '#webhooks/target.ts'
import type { Lane } from './lease.ts'
import type { Posted } from './post.ts'

type Tenant = Pick<Lane, 'platformId' | 'environment'>

/** The message of one attempt. The body is the same on every attempt. */
export type Message = Pick<Posted, 'url' | 'mayBePrivate' | 'headers' | 'body'>

/** The messages of these events at this moment, in their order; undefined for an event that is gone, and if the endpoint was removed. */
export const messagesOf = async (tenant: Tenant, eventIds: readonly string[]): Promise<(Message | undefined)[]> => {
  const { platformId } = tenant
  const [[endpoint], rows] = await Promise.all([
    lookUp(sql`
      select url, encode(sealed_key, 'base64'), encode(sealed_secret, 'base64'), encode(sealed_next_key, 'base64'),
        encode(sealed_next_secret, 'base64')
      from webhook_endpoints where platform_id = ${platformId}::uuid and url is not null`),
    query(sql`
      select ${EventRecord.columns} from ${EventRecord.table} t
      where t.platform_id = ${platformId}::uuid and t.id = any(${eventIds}::uuid[])`),
  ])
  if (!endpoint) return eventIds.map(() => undefined)
  const [url, ...sealed] = endpoint
  const [sealedKey, sealedSecret, sealedNextKey, sealedNextSecret] = sealed.map((each) =>
    each === null ? null : Buffer.from(each, 'base64'),
  ) as [Buffer, Buffer, Buffer | null, Buffer | null]
  const sign = signerOf({ platformId, sealedKey, sealedSecret, sealedNextKey, sealedNextSecret })
  const events = rows.map((row) => EventRecord.read(row))
  const envelopes = await envelopesOf(tenant, events)
  const found = new Map(envelopes.map((envelope, index) => [(events[index] as Event).id, envelope]))
  const at = new Date()
  return eventIds.map((id) => {
    const envelope = found.get(id)
    if (!envelope) return undefined
    const body = Buffer.from(JSON.stringify(envelope))
    return {
      url: url as string,
      mayBePrivate: mayBePrivate(tenant.environment),
      headers: sign(envelope.id, body, at),
      body,
    }
  })
}
