import { db } from '#database/db.ts'
import type { Platform } from '#test/setup/world.ts'
import { newKeys } from '#webhooks/signing.ts'

/** An endpoint that refuses every connection at once. */
export const insertEndpoint = async (platform: Platform) => {
  const { publicKey, sealedKey, sealedSecret } = newKeys(platform.id)
  await db.$executeRaw`
    insert into webhook_endpoints (platform_id, url, status, position, public_key, sealed_key, sealed_secret)
    values (${platform.id}::uuid, 'http://127.0.0.1/', 'ENABLED', 0, ${publicKey}, ${sealedKey}, ${sealedSecret}) on conflict do nothing`
}
