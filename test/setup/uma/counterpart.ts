// An institution that the tests play, which can give any answer. Its gateway is a server in this process.
import { createHash, type KeyObject, randomUUID, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  Currency,
  getLnurlpResponse,
  getPayReqResponse,
  KycStatus,
  PayRequest,
  parseLnurlpRequest,
} from '@uma-sdk/core'
import { type CertificateTerms, certificateOf, privateKeyOf } from '#uma/certificate.ts'
import { demandText, signStatement } from '#uma/demand.ts'
import type { Institution } from '#uma/own-keys.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests spoil any part of an answer.
export type Spoilable = any

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

/** Answers with this text, or with this as JSON. */
export const says =
  (body: unknown, status = 200): Handler =>
  (_request, response) =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))

export interface Key {
  readonly bytes: Uint8Array
  readonly key: KeyObject
}
export const newKey = (): Key => {
  const bytes = secp256k1.utils.randomSecretKey()
  return { bytes, key: privateKeyOf(bytes) }
}

const DAY = 86_400_000
const dates = { from: new Date(Date.now() - DAY), until: new Date(Date.now() + DAY) }
export const derOf = (pem: string) => new X509Certificate(pem).raw.toString('hex')

export const startCounterpart = async (domain: string, ownAddress: string) => {
  const [root, signing, encryption] = [newKey(), newKey(), newKey()]
  const rootPem = certificateOf({ domain: `root.${domain}`, subject: root.key, ...dates })
  const leaf = (subject: KeyObject, more: Partial<CertificateTerms> = {}) =>
    certificateOf({ domain, subject, ...dates, issuer: { name: `root.${domain}`, key: root.key }, ...more })
  const chain = (subject: KeyObject, more: Partial<CertificateTerms> = {}) => [
    derOf(leaf(subject, more)),
    derOf(rootPem),
  ]
  const goodKeys = () => ({ signingCertChain: chain(signing.key), encryptionCertChain: chain(encryption.key) })
  const address = `$bob@${domain}`
  const own = { domain, signingKey: Buffer.from(signing.bytes) } as Institution

  /** A good answer to a look-up, as plain JSON that a test can spoil. */
  const goodLookup = async (target: string, signer = signing, receiver = address): Promise<Spoilable> => {
    const request = parseLnurlpRequest(new URL(target, `https://${domain}`))
    const made = await getLnurlpResponse({
      request: { ...request, receiverAddress: receiver },
      privateKeyBytes: signer.bytes,
      requiresTravelRuleInfo: true,
      receiverKycStatus: KycStatus.Verified,
      callback: `https://${domain}/uma/payreq/${randomUUID()}`,
      encodedMetadata: '[]',
      minSendableSats: 1,
      maxSendableSats: 10_000_000,
      currencyOptions: [new Currency('EUR', 'Euro', '€', MULTIPLIER, 1, 1_000_000, 2)],
      payerDataOptions: { identifier: { mandatory: true }, compliance: { mandatory: true }, name: { mandatory: true } },
      settlementOptions: [
        { settlementLayer: 'ledger', assets: [{ identifier: 'BTC', multipliers: { EUR: MULTIPLIER } }] },
      ],
    })
    return JSON.parse(made.toJsonString())
  }

  interface Spoiled {
    readonly signer?: Key
    readonly demandSigner?: Key
    readonly satoshis?: bigint
    readonly amount?: bigint
    readonly currency?: string
    readonly payer?: string
    readonly payee?: string
    readonly expiresAt?: Date
    readonly invoice?: string
  }
  /** A good answer to a payment request with a fixed sending amount. */
  const goodPayreq = async (body: string, spoiled: Spoiled = {}): Promise<Spoilable> => {
    const request = PayRequest.fromJson(body)
    const msats = request.amount
    const amount = BigInt(Math.floor(msats / MULTIPLIER))
    const demand = demandText(
      { ...own, signingKey: Buffer.from((spoiled.demandSigner ?? signing).bytes) },
      {
        demandId: randomUUID(),
        payer: spoiled.payer ?? ownAddress,
        payee: spoiled.payee ?? address,
        payeeDomain: domain,
        satoshis: spoiled.satoshis ?? BigInt(msats / 1000),
        currency: spoiled.currency ?? 'EUR',
        amount: spoiled.amount ?? amount,
        expiresAt: spoiled.expiresAt ?? new Date(Date.now() + 60_000),
      },
    )
    const made = await getPayReqResponse({
      request,
      payeeIdentifier: address,
      receivingVaspPrivateKey: (spoiled.signer ?? signing).bytes,
      metadata: '[]',
      receivingCurrencyCode: 'EUR',
      receivingCurrencyDecimals: 2,
      conversionRate: MULTIPLIER,
      receiverFeesMillisats: msats - Number(amount) * MULTIPLIER,
      receiverChannelUtxos: [],
      utxoCallback: `https://${domain}/uma/done/${randomUUID()}`,
      disposable: false,
      payeeData: { identifier: address, name: 'Bob' },
      invoiceCreator: {
        createUmaInvoice: async () => spoiled.invoice ?? demand,
        createInvoiceForSettlementLayer: async () => spoiled.invoice ?? demand,
      },
    })
    return JSON.parse(made.toJsonString())
  }

  /** A good answer to the notification of a payment. */
  const goodDone = (body: string): Spoilable => {
    const { settlement, utxos } = JSON.parse(body)
    const { demandId, movement } = settlement
    const satoshis = BigInt(utxos[0].amountMsats / 1000)
    return { settlement: { signature: signStatement(own, { said: 'SETTLED', demandId, satoshis, movement }) } }
  }

  const handlers = {
    keys: ((_request, response) => response.end(JSON.stringify(goodKeys()))) as Handler,
    lookup: (async (request, response) => response.end(JSON.stringify(await goodLookup(request.url ?? '')))) as Handler,
    payreq: (async (_request, response, body) => response.end(JSON.stringify(await goodPayreq(body)))) as Handler,
    done: ((_request, response) => response.writeHead(503).end()) as Handler,
  }
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const path = request.url ?? ''
    calls.push(path)
    if (path === '/.well-known/lnurlpubkey') return handlers.keys(request, response, body)
    if (path.startsWith('/.well-known/lnurlp/')) return handlers.lookup(request, response, body)
    if (path.startsWith('/uma/payreq/')) return handlers.payreq(request, response, body)
    return handlers.done(request, response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    domain,
    address,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fingerprint: createHash('sha256').update(new X509Certificate(rootPem).raw).digest('hex'),
    root,
    signing,
    encryption,
    leaf,
    chain,
    rootPem,
    goodKeys,
    goodLookup,
    goodPayreq,
    goodDone,
    handlers,
    calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Counterpart = Awaited<ReturnType<typeof startCounterpart>>

/** Millisatoshis for a cent of a euro. */
export const MULTIPLIER = 9_054.347826086958
