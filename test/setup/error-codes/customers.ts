// Codes about customers, their bank accounts, documents, credentials and second factors.
import { randomUUID } from 'node:crypto'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold, type Household, OPERATIONS, type Ready } from '#test/setup/credentials/wallet-operations.ts'
import { addOtp, addPasskey, passkeyRegistration, prove } from '#test/setup/credentials/wallet-sessions.ts'
import { rest } from '#test/setup/faces.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createEuropean, enrolPasskey } from '#test/setup/sca/europeans.ts'
import { createHolder, formOf, pdf } from '#test/setup/verification/uploads.ts'
import { createPlatform, createWallet, type Platform } from '#test/setup/world.ts'
import type { Answer, Scenario, Unreachable } from './scenario.ts'

const add = (platform: Platform, more: object = {}) =>
  send(platform, 'POST', '/customers', { customerType: 'INDIVIDUAL', ...more })
const twice = async (body: object) => {
  const platform = await createPlatform()
  await add(platform, body)
  return add(platform, body)
}

const face = credentialFaces.find(({ name }) => name === 'REST') as (typeof credentialFaces)[number]
const household = async (): Promise<Household> => createHousehold(face, await createPlatform())

/** Signs an export of a wallet wrongly. */
const exporting = async (
  send: (operation: Ready, proof: Awaited<ReturnType<typeof prove>>) => Promise<Answer>,
): Promise<Answer> => {
  const operation = await OPERATIONS['export wallet'](await household())
  return send(operation, await prove(operation.key, await operation.send()))
}

const uploading = async (file: Buffer) => {
  const { platform, fields } = await createHolder()
  return rest(platform, '/documents', { method: 'POST', body: formOf(file, fields) })
}

const NOT_JUDGED = {
  reason:
    'Nobody judges what a document says when it is uploaded. The provider that reviews the customer names such documents in `errors` of the verification.',
}

export const customers = {
  CONFLICT: () => twice({ platformCustomerId: randomUUID() }),
  UMA_ADDRESS_EXISTS: () => twice({ umaAddress: `$${randomUUID()}@bank.example` }),
  INVALID_CURRENCY: async () => add(await createPlatform(), { currencies: ['XXX'] }),
  MISSING_MANDATORY_USER_INFO: async () => add(await createPlatform(), { currencies: ['USD'] }),
  USER_NOT_FOUND: async () => send(await createPlatform(), 'GET', `/customers/Customer:${randomUUID()}`),
  CUSTOMER_DELETED: async () => {
    const platform = await createPlatform()
    const path = `/customers/${(await add(platform)).body.id}`
    await send(platform, 'DELETE', path)
    return send(platform, 'DELETE', path)
  },
  BULK_UPLOAD_JOB_NOT_FOUND: async () =>
    send(await createPlatform(), 'GET', `/customers/bulk/jobs/BulkJob:${randomUUID()}`),
  INVALID_BANK_ACCOUNT: async () => {
    const platform = await createPlatform()
    const { body } = await add(platform)
    return send(platform, 'POST', '/customers/external-accounts', {
      customerId: body.id,
      currency: 'GBP',
      accountInfo: {
        accountType: 'GBP_ACCOUNT',
        sortCode: '12',
        accountNumber: '12345678',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' },
      },
    })
  },

  UNSUITABLE_DOCUMENT: () => uploading(Buffer.from('a text')),
  INCOMPLETE: () => uploading(pdf(1_000).subarray(0, 900)),
  LOW_QUALITY: NOT_JUDGED,
  DATA_MISMATCH: NOT_JUDGED,
  EXPIRED: NOT_JUDGED,
  SUSPECTED_FRAUD: NOT_JUDGED,

  ACCOUNT_LOCKED: async () => {
    const { platform, customerId } = await createEuropean()
    const fail = () => send(platform, 'POST', '/sca/record-event', { customerId, eventType: 'FAILED_LOGIN_ATTEMPT' })
    for (let failures = 0; failures < 5; failures += 1) await fail()
    return fail()
  },
  PASSKEY_ALREADY_ENROLLED: async () => {
    const { platform, customerId } = await createEuropean()
    await enrolPasskey(platform, customerId)
    return send(platform, 'POST', '/sca/factors', { customerId, type: 'PASSKEY' })
  },

  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: async () => {
    const platform = await createPlatform()
    const { accountId } = await createWallet(platform)
    return face.register(platform, { type: 'EMAIL_OTP', accountId })
  },
  SMS_OTP_CREDENTIAL_ALREADY_EXISTS: async () => {
    const { platform, wallet, emailSession } = await household()
    await addOtp(face, wallet, emailSession, 'SMS_OTP')
    return face.register(platform, { type: 'SMS_OTP', accountId: wallet.accountId })
  },
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: async () => {
    const { platform, wallet, emailSession } = await household()
    const authenticator = softwareAuthenticator()
    await addPasskey(face, wallet, emailSession, { authenticator })
    return face.register(platform, passkeyRegistration(wallet, authenticator))
  },
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: async () => {
    const platform = await createPlatform()
    const [mine, other] = [await createWallet(platform), await createWallet(platform)]
    return face.updateCustomer(platform, mine.customerId, { email: other.email })
  },
  EMAIL_OTP_CREDENTIAL_SET_CHANGED: async () => {
    const house = await household()
    const operation = await OPERATIONS['customer email'](house)
    const proof = await prove(operation.key, await operation.send())
    const { customerId, email } = house.wallet
    await createWallet(house.platform, { customerId: customerId.slice('Customer:'.length), email })
    return operation.send(proof)
  },
  EMAIL_OTP_CREDENTIAL_SYNC_FAILED: {
    reason:
      'One database transaction changes the customer and the tied credentials. Neither can change without the other.',
  },

  WALLET_SIGNATURE_MISSING: () => exporting(({ send }, { requestId }) => send({ requestId })),
  REQUEST_ID_MISSING: () => exporting(({ send }, { signature }) => send({ signature })),
  WALLET_SIGNATURE_MALFORMED: () => exporting(({ send }, { requestId }) => send({ requestId, signature: 'x' })),
  WALLET_SIGNATURE_BODY_MISMATCH: () => exporting(({ send, sendOther = send }, proof) => sendOther(proof)),
  WALLET_SIGNATURE_INVALID: () =>
    exporting(async ({ send }, { requestId }) => {
      const { signature } = await prove(newKey(), await send())
      return send({ requestId, signature })
    }),
  INVALID_SIGNATURE: () =>
    exporting(({ send }, { signature }) => send({ requestId: `Request:${randomUUID()}`, signature })),
} as const satisfies Readonly<Record<string, Scenario | Unreachable>>
