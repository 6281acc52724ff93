// Codes of payments to UMA addresses. The institution of the address is a server of this process that answers wrong.
import { randomUUID } from 'node:crypto'
import { db } from '#database/db.ts'
import { createPayer, type Payer } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { type Counterpart, type Handler, type Spoilable, says, startCounterpart } from '#test/setup/uma/counterpart.ts'
import { createKeys } from '#uma/own-keys.ts'
import { putProvider } from '#uma/providers/provider.ts'
import type { Answer, Scenario } from './scenario.ts'

/** A payer of a platform that is an institution itself. */
const createSender = async (): Promise<Payer & { readonly address: string }> => {
  const payer = await createPayer()
  const { id } = payer.platform
  const domain = `${randomUUID()}.example`
  const address = `$alice@${domain}`
  await db.platform.update({ where: { id }, data: { umaDomain: domain } })
  await createKeys(id, domain)
  await db.customer.updateMany({ where: { platformId: id }, data: { umaAddress: address, name: 'Alice' } })
  return { ...payer, address }
}

const lookUp = ({ platform, customerId }: Payer, address: string): Promise<Answer> =>
  send(platform, 'GET', `/receiver/uma/${encodeURIComponent(address)}?customerId=${customerId}`)

const quote = ({ platform, dollars }: Payer, umaAddress: string, lookupId: string): Promise<Answer> =>
  send(platform, 'POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: dollars },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    lookupId,
  })

const meeting = async <T>(work: (payer: Payer, peer: Counterpart) => Promise<T>): Promise<T> => {
  const payer = await createSender()
  const peer = await startCounterpart(`${randomUUID()}.example`, payer.address)
  try {
    const { domain, fingerprint, url } = peer
    await putProvider(payer.platform.id, { domain, name: domain, rootFingerprint: fingerprint, baseUrl: url })
    return await work(payer, peer)
  } finally {
    peer.close()
  }
}

/** A look-up at an institution with these keys. */
const keys = (handlerOf: (peer: Counterpart) => Handler) => () =>
  meeting((payer, peer) => {
    peer.handlers.keys = handlerOf(peer)
    return lookUp(payer, peer.address)
  })

/** A look-up with this answer. */
const lookup = (handler: Handler) => () =>
  meeting((payer, peer) => {
    peer.handlers.lookup = handler
    return lookUp(payer, peer.address)
  })

/** A look-up whose good answer is spoiled. */
const spoiled = (spoil: (answer: Spoilable) => void) => () =>
  meeting((payer, peer) => {
    peer.handlers.lookup = async (request, response) => {
      const answer = await peer.goodLookup(request.url ?? '')
      spoil(answer)
      response.end(JSON.stringify(answer))
    }
    return lookUp(payer, peer.address)
  })

/** A quote whose payment request gets this answer. */
const payreq = (handler: Handler) => () =>
  meeting(async (payer, peer) => {
    const { body } = await lookUp(payer, peer.address)
    peer.handlers.payreq = handler
    return quote(payer, peer.address, body.lookupId)
  })

const refuses = (code: string, status = 400) => says({ status: 'ERROR', reason: 'No', code }, status)

export const institutions = {
  INVALID_UMA_ADDRESS: async () => lookUp(await createPayer(), 'bob@bank.example'),
  COUNTERPARTY_NOT_ALLOWED: async () => lookUp(await createSender(), '$bob@stranger.example'),
  LOOKUP_REQUEST_NOT_FOUND: async () =>
    quote(await createSender(), '$bob@bank.example', `LookupRequest:${randomUUID()}`),

  COUNTERPARTY_PUBKEY_FETCH_ERROR: keys(() => says('', 404)),
  INVALID_PUBKEY_FORMAT: keys(() => says({})),
  CERT_CHAIN_INVALID: keys((peer) => says({ ...peer.goodKeys(), signingCertChain: ['00'] })),
  CERT_CHAIN_EXPIRED: keys((peer) => {
    const encryptionCertChain = peer.chain(peer.encryption.key, { until: new Date(Date.now() - 60_000) })
    return says({ ...peer.goodKeys(), encryptionCertChain })
  }),

  UMA_NOT_FOUND: lookup(refuses('USER_NOT_FOUND', 404)),
  SENDER_NOT_ACCEPTED: lookup(refuses('SENDER_NOT_ACCEPTED')),
  MISSING_REQUIRED_UMA_PARAMETERS: lookup(refuses('MISSING_REQUIRED_UMA_PARAMETERS')),
  LOOKUP_REQUEST_FAILED: lookup(refuses('MOON_PHASE')),
  LNURLP_REQUEST_FAILED: lookup(says('<html>', 503)),
  PARSE_LNURLP_RESPONSE_ERROR: lookup(says('{"callback":"https://h')),
  NO_COMPATIBLE_UMA_VERSION: lookup(says({ code: 'UNSUPPORTED_UMA_VERSION', supportedMajorVersions: [7] }, 412)),
  UNSUPPORTED_UMA_VERSION: spoiled((answer) => (answer.umaVersion = '9.0')),
  INVALID_TIMESTAMP: spoiled((answer) => (answer.compliance.signatureTimestamp -= 3_600)),
  INVALID_NONCE: spoiled((answer) => (answer.compliance.signatureNonce = '1'.repeat(100))),
  INVALID_RECEIVER: spoiled((answer) => delete answer.settlementOptions),

  PAYREQ_REQUEST_FAILED: payreq(says('', 500)),
  PARSE_PAYREQ_RESPONSE_ERROR: payreq(says('{"pr":"')),
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: payreq(refuses('UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY', 501)),
  INVALID_PAYREQ_RESPONSE: () =>
    meeting(async (payer, peer) => {
      const { body } = await lookUp(payer, peer.address)
      peer.handlers.payreq = async (_request, response, text) =>
        response.end(JSON.stringify(await peer.goodPayreq(text, { satoshis: 90_000_000n })))
      return quote(payer, peer.address, body.lookupId)
    }),
} as const satisfies Readonly<Record<string, Scenario>>
