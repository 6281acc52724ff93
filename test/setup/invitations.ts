// Rows of invitations, written without the API.
import { randomBytes, randomUUID } from 'node:crypto'
import { db } from '#database/db.ts'
import type { Platform } from '#test/setup/world.ts'

export const createInvitation = async (
  { id: platformId }: Pick<Platform, 'id'>,
  {
    id = randomUUID(),
    createdAt = new Date(),
    inviterId,
    umaAddress,
  }: { id?: string; createdAt?: Date; inviterId: string; umaAddress: string },
) => {
  const code = randomBytes(4).toString('hex')
  await db.$executeRaw`
    insert into invitations (platform_id, id, code, url, inviter_id, inviter_uma, first_name, created_at)
    values (${platformId}::uuid, ${id}::uuid, ${code}, ${`https://bank.example/invitations/${code}`}, ${inviterId}::uuid, ${umaAddress},
      ${umaAddress}, ${createdAt})`
  return { id, code }
}
