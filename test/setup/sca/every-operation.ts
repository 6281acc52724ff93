// Every operation of contact verification, SCA and delegated keys, each with success.
import { db } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { openSession, quoteInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createCard, createPlatform, createWallet } from '#test/setup/world.ts'
import { createEuropeanPayer, enrolPasskey, enrolTotp } from './europeans.ts'
import { callRest, type ScaFace } from './sca-faces.ts'

export const useEveryScaOperation = async (face: ScaFace): Promise<void> => {
  const { platform, customerId, dollars, iban } = await createEuropeanPayer({ email: 'ada@mail.example' })
  const code = '123456'
  await db.customer.updateMany({ where: { platformId: platform.id }, data: { verifiedPhoneNumber: null } })
  for (const contact of ['EMAIL', 'PHONE'] as const) {
    await face.startContact(platform, customerId, contact)
    await face.confirmContact(platform, customerId, contact, code)
  }
  const logIn = async (factor: string) => {
    await face.startLogin(platform, { customerId, factor })
    return face.completeLogin(platform, { customerId, factor, code })
  }
  await logIn('SMS_OTP')
  const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
  await send(platform, 'POST', `/quotes/${quote.id}/execute`, { scaFactor: 'SMS_OTP' })
  await db.$executeRaw`
    update sca_challenges set sent_at = plus_seconds(sent_at, -60) where platform_id = ${platform.id}::uuid`
  await face.resend(platform, quote.id)
  await face.authorize(platform, quote.id, { code })
  for (const change of ['trust', 'untrust'] as const) {
    await face.startTrust(platform, iban, change)
    await face.confirmTrust(platform, iban, change, { code })
  }
  const { factorId } = await enrolTotp(platform, customerId)
  await enrolPasskey(platform, customerId)
  await face.factors(platform, customerId)
  await face.remove(platform, customerId, factorId)
  await face.startLogin(platform, { customerId, factor: 'PASSKEY' })
  await face.recordEvent(platform, { customerId, eventType: 'RESET_PASSWORD_COMPLETED' })
  const { body: reset } = await face.startReset(platform, { customerId, factor: 'PASSKEY' })
  await face.readReset(platform, customerId, reset.resetId)
  await face.completeReset(platform, reset.resetId, { customerId })
}

export const useDelegatedKeys = async (): Promise<void> => {
  const platform = await createPlatform()
  const wallet = await createWallet(platform)
  const device = await openSession(platform, wallet)
  const [customer = '', account = ''] = [wallet.customerId, wallet.accountId].map(uuidOf)
  const card = await createCard(platform, { customerId: customer, accountId: account })
  const input = { cardId: `Card:${card.id}`, internalAccountId: wallet.accountId, nickname: 'Travel' }
  let answer = await send(platform, 'POST', '/auth/delegated-keys', input)
  while (answer.status === 202) {
    answer = await send(platform, 'POST', '/auth/delegated-keys', input, {
      'request-id': answer.body.requestId,
      'service-wallet-signature': await device.stamp(answer.body.payloadToSign),
    })
  }
  await send(platform, 'GET', `/auth/delegated-keys?accountId=${wallet.accountId}`)
  await send(platform, 'GET', `/auth/delegated-keys/${answer.body.id}`)
  await callRest(platform, 'DELETE', `/auth/delegated-keys/${answer.body.id}`)
}
