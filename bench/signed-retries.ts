// Changes wallets by signed retries, with both calls: over the gateway, or as a bare verification with two commits. Runs in its own process.
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { Agent } from 'undici'
import { API_VERSION } from '#core/api-version.ts'
import { API_PERMISSIONS } from '#core/caller.ts'
import { newUuid, publicId } from '#core/ids.ts'
import { issuingSession } from '#credentials/sessions/session.ts'
import { db, pool } from '#database/db.ts'
import { inRoundTrips } from '#database/round-trips.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { insertToken } from '#platforms/tokens/token.ts'
import { send } from './client.ts'
import { createCustomer, createPlatform } from './payers.ts'

const CALLERS = 16

interface Wallet {
  readonly accountId: string
  readonly key: KeyObject
  readonly verifier: KeyObject
  /** Compressed, as hex. */
  readonly publicKey: string
}

const platformId = await createPlatform()
const { clientId, secret } = await inTransaction((tx) =>
  insertToken(tx, platformId, { name: 'Bench', permissions: API_PERMISSIONS }),
)
const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

const createWallet = async (): Promise<Wallet> => {
  const own = () => ({ platformId, id: newUuid() })
  const customerId = await createCustomer(platformId)
  const { id: accountId } = await db.internalAccount.create({
    data: {
      ...own(),
      customerId,
      type: 'EMBEDDED_WALLET',
      status: 'ACTIVE',
      currency: 'USDB',
      privateEnabled: false,
    },
  })
  const { id: authMethodId } = await db.authMethod.create({
    data: { ...own(), accountId, type: 'EMAIL_OTP', nickname: 'Bench' },
  })
  const { privateKey: key, publicKey: verifier } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const { x = '', y = '' } = verifier.export({ format: 'jwk' })
  const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const session = { accountId, authMethodId, publicKey: Buffer.concat([Buffer.of(4), left, right]) }
  await inRoundTrips(({ commitWith }) => commitWith(...issuingSession({ platformId }, session)))
  const isOdd = (right.at(-1) ?? 0) % 2 === 1
  return { accountId, key, verifier, publicKey: Buffer.concat([Buffer.of(isOdd ? 3 : 2), left]).toString('hex') }
}

const wallets = await Promise.all(Array.from({ length: CALLERS }, createWallet))

const agent = new Agent({ connections: CALLERS })
const patch = async (url: string, more: Record<string, string>, sent: string): Promise<Record<string, string>> => {
  const headers = { authorization, 'content-type': 'application/json', ...more }
  const { status, body } = await send(agent, url, { method: 'PATCH', headers, body: sent })
  const text = Buffer.concat(body).toString()
  if (status >= 300) throw new Error(text)
  return JSON.parse(text)
}

const stampOf = ({ key, publicKey }: Wallet, payload: string): string => {
  const signature = sign('sha256', Buffer.from(payload), key).toString('hex')
  return Buffer.from(JSON.stringify({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature })).toString(
    'base64url',
  )
}

const changeOverGateway = async (url: string, wallet: Wallet, privateEnabled: boolean) => {
  const address = `${url}/${API_VERSION}/internal-accounts/${publicId('InternalAccount', wallet.accountId)}`
  const body = JSON.stringify({ privateEnabled })
  const { payloadToSign = '', requestId = '' } = await patch(address, {}, body)
  const proof = { 'request-id': requestId, 'service-wallet-signature': stampOf(wallet, payloadToSign) }
  await patch(address, proof, body)
}

const REQUEST = `
  insert into signed_requests (platform_id, id, account_id, operation, target, fingerprint, sealed, expires_at)
  values ($1, $2, $3::uuid, 'UPDATE_WALLET_PRIVACY', $3::uuid::text, $4, $4, now() + interval '5 minutes')`
const CONSUMED = 'update signed_requests set consumed_at = now(), sealed = null where platform_id = $1 and id = $2'
const CHANGED =
  'update internal_accounts set private_enabled = $3, updated_at = now() where platform_id = $1 and id = $2'

const fingerprint = Buffer.alloc(32)

const changeBarely = async (wallet: Wallet, privateEnabled: boolean) => {
  const { accountId, verifier } = wallet
  const id = newUuid()
  const client = await pool.connect()
  try {
    await client.query({ name: 'request', text: REQUEST, values: [platformId, id, accountId, fingerprint] })
    const { signature } = JSON.parse(Buffer.from(stampOf(wallet, id), 'base64url').toString())
    if (!verify('sha256', Buffer.from(id), verifier, Buffer.from(signature, 'hex'))) throw new Error('Forged')
    await client.query('begin')
    await client.query({ name: 'consumed', text: CONSUMED, values: [platformId, id] })
    await client.query({ name: 'changed', text: CHANGED, values: [platformId, accountId, privateEnabled] })
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** Without a URL, it makes the bare changes. */
export interface SignedRetries {
  readonly url: string | null
  readonly seconds: number
}

const measure = async ({ url, seconds }: SignedRetries): Promise<number> => {
  const end = performance.now() + seconds * 1_000
  let changed = 0
  await Promise.all(
    wallets.map(async (wallet) => {
      while (performance.now() < end) {
        await (url === null
          ? changeBarely(wallet, changed % 2 === 0)
          : changeOverGateway(url, wallet, changed % 2 === 0))
        changed += 1
      }
    }),
  )
  return changed / seconds
}

process.on('message', (question: SignedRetries) => {
  measure(question).then(
    (perSecond) => process.send?.({ perSecond }),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({})
