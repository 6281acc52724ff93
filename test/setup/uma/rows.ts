// Rows of UMA.
import { randomUUID } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import type { Given } from '#test/setup/connection.ts'
import type { Platform } from '#test/setup/world.ts'

/** A provider at whose address nothing listens. */
export const createUmaProvider = (
  { id: platformId }: Pick<Platform, 'id'>,
  given: Partial<Prisma.UmaProviderUncheckedCreateInput> = {},
) => {
  const id = given.id ?? randomUUID()
  return db.umaProvider.create({
    data: { platformId, id, domain: `${id}.example`, name: id, rootFingerprint: '0'.repeat(64), ...given },
  })
}

/** A demand that this platform is to pay. */
export const createUmaDemand = (
  { id: platformId }: Pick<Platform, 'id'>,
  given: Pick<Prisma.UmaDemandUncheckedCreateInput, 'providerId' | 'transactionId' | 'expiresAt'> &
    Partial<Prisma.UmaDemandUncheckedCreateInput>,
) => {
  const names = { payer: '$alice@a.example', payee: '$bob@b.example' }
  const price = { satoshis: 1_000n, currency: 'USD', amount: 100n }
  const ids = { platformId, id: randomUUID(), demandId: randomUUID() }
  return db.umaDemand.create({ data: { ...ids, role: 'PAYER', ...names, ...price, callback: '/uma/done/x', ...given } })
}

/** One provider at each time. Those at odd positions are blocked. */
export const umaProvidersAt = async (platform: Platform, times: readonly Date[]): Promise<Given> => {
  const items = await Promise.all(
    times.map(async (createdAt, index) => {
      const isAdmitted = index % 2 === 0
      const { id } = await createUmaProvider(platform, { createdAt, isAllowed: isAdmitted })
      return { id: publicId('UmaProvider', id), createdAt, isAdmitted }
    }),
  )
  return { parent: '', items }
}
