// Rows of second factors and delegated keys, written directly. Each function returns the public id.
import { createHash, randomBytes } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'

interface Row {
  readonly platformId: string
  readonly id: string
  readonly customerId: string
  readonly createdAt: Date
}

const ensureCounters = ({ platformId, customerId }: Row) =>
  db.$executeRaw`insert into sca_customers (platform_id, id) values (${platformId}::uuid, ${customerId}::uuid) on conflict do nothing`

export const createFactorReset = async (row: Row): Promise<string> => {
  await ensureCounters(row)
  await db.$executeRaw`
    insert into sca_factor_resets (platform_id, id, customer_id, factor, status, expires_at, created_at)
    values (${row.platformId}::uuid, ${row.id}::uuid, ${row.customerId}::uuid, 'TOTP', 'INITIATED', '2030-01-01', ${row.createdAt})`
  return publicId('TwoFactorReset', row.id)
}

/** With a secret that no one has. */
export const createTotp = async (row: Row): Promise<string> => {
  await ensureCounters(row)
  await db.$executeRaw`
    insert into sca_factors (platform_id, id, customer_id, type, secret_sealed, last_step, created_at)
    values (${row.platformId}::uuid, ${row.id}::uuid, ${row.customerId}::uuid, 'TOTP', ${new Uint8Array(randomBytes(48))}, 0, ${row.createdAt})`
  return publicId('ScaFactor', row.id)
}

interface KeyRow extends Omit<Row, 'customerId'> {
  readonly cardId: string
  readonly accountId: string
  readonly nickname: string
  readonly status?: 'PENDING' | 'ACTIVE' | 'REVOKED'
}

/** With a private key that no one has. */
export const createDelegatedKey = async (row: KeyRow): Promise<string> => {
  const publicKey = `02${createHash('sha256').update(row.nickname).digest('hex')}`
  await db.$executeRaw`
    insert into delegated_keys (platform_id, id, card_id, account_id, public_key, private_key_sealed, nickname, status, created_at, updated_at)
    values (${row.platformId}::uuid, ${row.id}::uuid, ${row.cardId}::uuid, ${row.accountId}::uuid, ${publicKey},
      ${new Uint8Array(randomBytes(60))}, ${row.nickname}, ${row.status ?? 'REVOKED'}::delegated_key_status, ${row.createdAt}, ${row.createdAt})`
  return publicId('DelegatedKey', row.id)
}
