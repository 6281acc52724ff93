// A gateway in this process as an institution that receives, and another institution that calls it.
import { X509Certificate } from 'node:crypto'
import { getPayRequest, getPostTransactionCallback, getSignedLnurlpRequestUrl, KycStatus } from '@uma-sdk/core'
import { app } from '#app.ts'
import { db } from '#database/db.ts'
import { createPayer, type Payer } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { type Counterpart, startCounterpart } from '#test/setup/uma/counterpart.ts'
import { movementHash, readDemand, signStatement } from '#uma/demand.ts'
import { createKeys, type Institution, institutionAt } from '#uma/own-keys.ts'
import { putProvider } from '#uma/providers/provider.ts'

export const OURS = 'receiver.example'
export const BOB = `$bob@${OURS}`
export let payee: Payer
export let peer: Counterpart
export let own: Institution
export let peerAsInstitution: Institution

export const meet = async (domain: string, more: object = {}) => {
  const counterpart = await startCounterpart(domain, `$alice@${domain}`)
  await putProvider(payee.platform.id, {
    domain,
    name: domain,
    rootFingerprint: counterpart.fingerprint,
    baseUrl: counterpart.url,
    creditLimit: 10_000_000n,
    ...more,
  })
  met.push(counterpart)
  return counterpart
}
const met: Counterpart[] = []

/** Call it first. */
export const openReceiver = async () => {
  payee = await createPayer()
  const { id } = payee.platform
  await db.platform.update({ where: { id }, data: { umaDomain: OURS } })
  // An earlier file of the process has given them to its platform.
  await db.umaKeys.deleteMany({ where: { domain: OURS } })
  await createKeys(id, OURS)
  const customerId = payee.customerId.slice('Customer:'.length)
  await db.customer.update({
    where: { platformId_id: { platformId: id, id: customerId } },
    data: { umaAddress: '$Bob@Receiver.example', name: 'Bob Builder' },
  })
  peer = await meet('sender.example')
  own = (await institutionAt(OURS)) as Institution
  peerAsInstitution = { ...own, domain: peer.domain, signingKey: Buffer.from(peer.signing.bytes) }
}
export const closeReceiver = () => {
  for (const one of met) one.close()
}

export const wire = async (path: string, body?: unknown, host = OURS) => {
  const response = await app.fetch(
    new Request(`http://${host}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { host, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text), text, headers: response.headers }
}

export const lookUpUrl = async (
  by: Pick<Counterpart, 'domain' | 'signing'> = peer,
  receiverAddress = BOB,
  umaVersionOverride = '1.0',
) => {
  const { pathname, search } = await getSignedLnurlpRequestUrl({
    receiverAddress,
    senderVaspDomain: by.domain,
    isSubjectToTravelRule: true,
    signingPrivateKey: by.signing.bytes,
    umaVersionOverride,
  })
  return `${pathname}${search}`
}
export const lookUp = async (...given: Parameters<typeof lookUpUrl>) => wire(await lookUpUrl(...given))
export const changed = async (change: (query: URLSearchParams) => void) => {
  const url = new URL(await lookUpUrl(), 'https://x.example')
  change(url.searchParams)
  return wire(`${url.pathname}${url.search}`)
}
export const code = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

export const encryptionPoint = async () => {
  const { PubKeyResponse } = await import('@uma-sdk/core')
  return PubKeyResponse.fromJson((await wire('/.well-known/lnurlpubkey')).text).getEncryptionPubKey()
}

export type PayArgs = Parameters<typeof getPayRequest>[0]
export const payRequest = async (more: Partial<PayArgs> = {}) => {
  const request = await getPayRequest({
    receiverEncryptionPubKey: await encryptionPoint(),
    sendingVaspPrivateKey: peer.signing.bytes,
    receivingCurrencyCode: 'EUR',
    isAmountInReceivingCurrency: true,
    amount: 5_000,
    payerIdentifier: `$alice@${peer.domain}`,
    payerKycStatus: KycStatus.Verified,
    payerData: { name: 'Alice' },
    trInfo: JSON.stringify({ originator: {} }),
    travelRuleFormat: 'ivms@101.2023',
    requestedPayeeData: { name: { mandatory: true }, identifier: { mandatory: true } },
    umaMajorVersion: 1,
    settlement: { layer: 'ledger', assetIdentifier: 'BTC' },
    ...more,
  })
  return JSON.parse(request.toJsonString())
}

/** The path of a payment request. */
export const payPath = async () => new URL((await lookUp()).body.callback).pathname

export const newest = () =>
  db.transaction.findFirst({
    where: { platformId: payee.platform.id },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })

export const count = () => db.transaction.count({ where: { platformId: payee.platform.id } })

/** Approves through the API as soon as a payment waits for approval. */
export const approving = async <T>(work: Promise<T>, facts: object = {}): Promise<T> => {
  let isDone = false
  void work.finally(() => (isDone = true))
  while (!isDone) {
    const waiting = await db.transaction.findFirst({ where: { platformId: payee.platform.id, status: 'PENDING' } })
    if (waiting) await send(payee.platform, 'POST', `/transactions/Transaction:${waiting.id}/approve`, facts)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return work
}

export const pay = async (body: unknown) => wire(await payPath(), body)

/** Makes a payment request that is approved. `id` is the bare id of the payment, `path` takes the message that it was paid. */
export const openDemand = async () => {
  const { body } = await approving(pay(await payRequest()))
  const key = new X509Certificate(own.signingChain).publicKey
  const demand = readDemand(body.pr, key)
  if (!demand) throw new Error(`No demand: ${JSON.stringify(body)}`)
  return { ...demand, path: new URL(body.payeeData.compliance.utxoCallback).pathname, id: (await newest())?.id ?? '' }
}
export type OpenDemand = Awaited<ReturnType<typeof openDemand>>

/** The message that the demand was paid. It is correct unless `more` changes it. */
export const paidMessage = async (
  { demandId, satoshis }: Pick<OpenDemand, 'demandId' | 'satoshis'>,
  more: { msats?: number; signer?: Counterpart['signing']; by?: Institution; domain?: string } = {},
) => {
  const movement = movementHash(demandId, peer.domain)
  const callback = await getPostTransactionCallback({
    utxos: [{ utxo: `${movement}:0`, amountMsats: more.msats ?? Number(satoshis) * 1_000 }],
    vaspDomain: more.domain ?? peer.domain,
    signingPrivateKey: (more.signer ?? peer.signing).bytes,
  })
  const signature = signStatement(more.by ?? peerAsInstitution, { said: 'PAID', demandId, satoshis, movement })
  return { ...callback, settlement: { demandId, movement, signature } }
}
