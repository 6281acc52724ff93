// Requests that only read. All their statements go to one replica that shows what they need, or else to the primary.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { config } from '#core/config.ts'
import type { PlatformId } from '#core/ids.ts'
import { closePositions, neededBy, type Position } from './positions.ts'
import { type PoolName, Replica } from './replica.ts'

const replicas = config.replicaUrls.map((url) => new Replica(url))

export const hasReplicas = replicas.length > 0

export const closeReplicas = () => Promise.all([closePositions(), ...replicas.map((replica) => replica.close())])

/** The requests that read at each kind of node. */
export const readsAt = { primary: 0, replica: 0 }

/** A statement failed at the replica. What the request has read so far does not count, and it must run again, outside. */
export class ReplicaLost extends Error {}

interface Node {
  readonly replica: Replica
  readonly position: Position
}

interface Wanted {
  readonly platformId: PlatformId
  /** What the client has to see. Without it, everything that the platform has at the primary. */
  readonly position?: Position | undefined
}

/** Runs on this connection to a replica, or at the primary. */
type Statement<T> = (replica: pg.ClientBase | null) => Promise<T>

let turn = 0

class Reading {
  isLost = false
  isAtPrimary = false
  readonly #wanted: Wanted
  #node: Promise<Node | null> | undefined

  constructor(wanted: Wanted) {
    this.#wanted = wanted
  }

  /** The node is chosen at the first statement. */
  async run<T>(pool: PoolName, work: Statement<T>): Promise<T> {
    this.#node ??= chooseNode(this.#wanted)
    const node = await this.#node
    if (this.isLost) throw new ReplicaLost()
    if (node === null) return work(null)
    try {
      return await node.replica.use(pool, node.position, work)
    } catch (cause) {
      this.isLost = true
      throw new ReplicaLost('The request is repeated at the primary', { cause })
    }
  }
}

const readings = new AsyncLocalStorage<Reading | undefined>()

/**
 * Runs work whose statements by `query` and `lookUp` go to one node. Everything else stays at the primary, as do statements after the work's end.
 * Throws `ReplicaLost` if the work must run again.
 */
export const readAnywhere = async <T>(wanted: Wanted, work: () => Promise<T>): Promise<T> => {
  const reading = new Reading(wanted)
  const [done] = await Promise.allSettled([readings.run(reading, async () => work())])
  reading.isAtPrimary = true
  if (reading.isLost) throw new ReplicaLost()
  if (done.status === 'rejected') throw done.reason
  return done.value
}

/** The rest of the request reads at the primary, because it has changed something or shares what it reads with others. */
export const stayAtPrimary = (): void => {
  const reading = hasReplicas && readings.getStore()
  if (reading) reading.isAtPrimary = true
}

/** For work that another request will call: it still counts as work of the current request. */
export const ofThisRequest = (work: () => void): (() => void) => {
  if (!hasReplicas) return work
  const reading = readings.getStore()
  return () => readings.run(reading, work)
}

/** Runs a statement at the node of the request. */
export const atNode = <T>(pool: PoolName, work: Statement<T>): Promise<T> => {
  const reading = hasReplicas && readings.getStore()
  return !reading || reading.isAtPrimary ? work(null) : reading.run(pool, work)
}

/** Null is the primary. */
const chooseNode = async (wanted: Wanted): Promise<Node | null> => {
  const replica = await findReplica(wanted).catch(() => null)
  readsAt[replica ? 'replica' : 'primary'] += 1
  return replica
}

const findReplica = async ({ platformId, position: given }: Wanted): Promise<Node | null> => {
  const position = given ?? (await neededBy(platformId))
  turn += 1
  const inTurn = replicas.map((_, index) => replicas[(turn + index) % replicas.length] as Replica)
  const ready = inTurn.find((replica) => replica.hasShown(position))
  if (ready) return { replica: ready, position }
  for (const replica of inTurn) if (await replica.shows(position)) return { replica, position }
  return null
}
