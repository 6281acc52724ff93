// Sends the deliveries that are due. Every process sends. One process at a time leases a lane.
import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { lookUp, sql } from '#database/db.ts'
import { createGroups } from '#database/groups.ts'
import { logTaskFailure } from '#database/outage.ts'
import { type Repeated, repeatWhenWoken } from '#database/repeated.ts'
import { sendIn } from '#database/round-trips.ts'
import { recordInTurn } from '#database/turns.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { EventType } from '#events/event-types.ts'
import { applyAnswer, asAnswer } from '#webhooks/approval.ts'
import { recordingAttempts } from './attempt.ts'
import { judgeEndpoint } from './circuit-breaker.ts'
import { planDeliveries } from './fan-out.ts'
import {
  type Accepted,
  holdLease,
  type Lane,
  leaseLanes,
  passingOn,
  recordAccepted,
  releaseLane,
  settle,
  settleUnreadable,
} from './lease.ts'
import { type Message, messagesOf } from './message.ts'
import { post } from './post.ts'
import { isTriedOnce } from './retry.ts'

/** The maximum number of open requests. It is high, because requests to receivers that hang stay open for 30 seconds. */
const MOST_AT_ONCE = 1_000
/** This number is small, because a delivery that becomes due in the meantime waits for the next turn. */
const LEASED_AT_ONCE = 64
/** Concurrent requests to one endpoint, while fewer and while more than half of all requests are open. */
const LANES_AT_ONCE = { QUIET: 32, BUSY: 1 }
/** New events and answers within this time share one run. */
const TOGETHER_MS = 25
const STOP_WITHIN_MS = 3_000

/** `stop` lets no new requests start, waits three seconds for the open ones, and leaves the rest to other processes. */
export const startSending = (): Repeated => {
  const stopping = new AbortController()
  setMaxListeners(MOST_AT_ONCE, stopping.signal)
  const underWay = new Set<Promise<void>>()
  const sendDue = async () => {
    if ((await planDeliveries()) > 0) sending.wake()
    const most = Math.min(MOST_AT_ONCE - underWay.size, LEASED_AT_ONCE)
    if (most < 1) return
    const lanesAtOnce = LANES_AT_ONCE[underWay.size < MOST_AT_ONCE / 2 ? 'QUIET' : 'BUSY']
    const lanes = await leaseLanes(most, lanesAtOnce)
    // More deliveries may be due.
    if (lanes.length === most) sending.wake()
    for (const due of await dueOf(lanes)) {
      const sent = send(due, stopping.signal)
        .catch((error) => logTaskFailure('sendWebhook', error))
        .finally(() => {
          underWay.delete(sent)
          sending.wake()
        })
      underWay.add(sent)
    }
  }
  const sending = repeatWhenWoken('sendWebhooks', TOGETHER_MS, sendDue)
  return {
    wake: sending.wake,
    stop: async () => {
      await sending.stop()
      await Promise.race([Promise.all(underWay), wait(STOP_WITHIN_MS, undefined, { ref: false })])
      stopping.abort()
      await Promise.all(underWay)
    },
  }
}

interface Due {
  readonly lane: Lane
  /** The oldest waiting event. Undefined if none is left. */
  readonly delivery:
    | {
        readonly id: string
        readonly eventId: string
        readonly type: EventType
        /** The payment that the platform must approve. Null for other events. */
        readonly approvalOf: string | null
      }
    | undefined
  readonly message: Message | 'UNREADABLE' | undefined
}

/**
 * Finds the event of each lane. Takes a constant number of statements per platform. If it fails for one platform, the others go on, and its lanes
 * are due again when their leases end.
 */
const dueOf = async (lanes: readonly Lane[]): Promise<Due[]> => {
  const platforms = new Set(lanes.map(({ platformId }) => platformId))
  const found = [...platforms].map((id) => {
    const own = lanes.filter(({ platformId }) => platformId === id)
    return dueOfPlatform(own).catch((error): Due[] => {
      logTaskFailure(`sendWebhooks ${id}`, error)
      return []
    })
  })
  return (await Promise.all(found)).flat()
}

const dueOfPlatform = async (lanes: readonly Lane[]): Promise<Due[]> => {
  const [tenant] = lanes
  if (!tenant) return []
  const rows = await lookUp(sql`
    select lane.id, head.id, head.event_id, head.type, payment.id from unnest(${lanes.map(({ lane }) => lane)}::uuid[]) as lane (id)
    cross join lateral (
      select d.id, d.event_id, d.type from webhook_deliveries d
      where d.platform_id = ${tenant.platformId}::uuid and d.lane = lane.id and d.status = 'PENDING' order by d.position limit 1) head
    left join transactions payment on payment.platform_id = ${tenant.platformId}::uuid and payment.id = lane.id
      and head.type = 'INCOMING_PAYMENT.PENDING' and payment.source_type = 'UMA_ADDRESS'`)
  const messages = await readable(
    tenant,
    rows.map(([, , eventId]) => eventId as string),
  )
  return lanes.map((lane) => {
    const index = rows.findIndex(([id]) => id === lane.lane)
    const [, id, eventId, type, approvalOf = null] = rows[index] ?? []
    return {
      lane,
      delivery: id && eventId ? { id, eventId, type: type as EventType, approvalOf } : undefined,
      message: messages[index],
    }
  })
}

/** The messages of these events. One that cannot be read does not keep others from being sent. */
const readable = async (tenant: Lane, eventIds: readonly string[]): Promise<Due['message'][]> => {
  try {
    return await messagesOf(tenant, eventIds)
  } catch (error) {
    if (eventIds.length > 1) return (await Promise.all(eventIds.map((id) => readable(tenant, [id])))).flat()
    logTaskFailure(`sendWebhooks ${tenant.platformId} ${eventIds[0]}`, error)
    return ['UNREADABLE']
  }
}

/** Recording an attempt takes the lock of the endpoint. Attempts that wait for this lock are recorded in one transaction. */
const recordInGroup = createGroups<Accepted, boolean>(async (accepted) => {
  const [first] = accepted
  if (!first) return []
  const { platformId } = first.lane
  return recordInTurn(platformId, () => recordAccepted(platformId, accepted))
})

const send = async ({ lane, delivery, message }: Due, signal: AbortSignal): Promise<void> => {
  const whileHeld = (work: (tx: Tx) => Promise<void>) =>
    recordInTurn(lane.platformId, () =>
      inTransaction(async (tx) => ((await holdLease(tx, lane)) ? work(tx) : undefined)),
    )
  if (!delivery || !message)
    return whileHeld(async (tx) => void (await sendIn(tx, ...passingOn(lane.platformId, [lane.lane]))))
  if (message === 'UNREADABLE') return whileHeld((tx) => settleUnreadable(tx, lane, delivery.id))
  const at = new Date()
  const keepsConnection = !isTriedOnce(delivery.type)
  const answered = await post({ ...message, signal, keepsConnection }).catch(() => undefined)
  if (!answered) return whileHeld(async (tx) => void (await releaseLane(tx, lane)))
  const { platformId } = lane
  const { id: deliveryId, type, approvalOf } = delivery
  const reply = approvalOf === null ? answered : asAnswer(answered)
  const attempt = { deliveryId, trigger: 'SCHEDULE', at, reply } as const
  if (approvalOf === null && reply.failure === null) {
    if (await recordInGroup(platformId, { lane, attempt, url: message.url })) return
  }
  await whileHeld(async (tx) => {
    if (approvalOf !== null) await applyAnswer(tx, lane, approvalOf, reply)
    await tx.$executeRaw(recordingAttempts(platformId, [attempt]))
    await judgeEndpoint(tx, platformId, message.url, attempt, approvalOf === null)
    await settle(tx, lane, { deliveryId, type, url: message.url }, reply)
  })
}
