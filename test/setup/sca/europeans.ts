// Customers in an SCA region, with second factors, who can pay.
import { partsOfId, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { hotp, stepAt } from '#sca/factors/totp.ts'
import { createPayer } from '#test/setup/payments/payers.ts'
import { changePlatform, createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'
import { softwareAuthenticator } from '../credentials/software-authenticator.ts'
import { callRest } from './sca-faces.ts'

const newPhone = () => `+49${1e9 + Math.floor(Math.random() * 1e9)}`

/** Without a verified phone number the customer has no factor. */
export const createEuropean = async (given: object = {}, platform?: Platform) => {
  const owner = platform ?? (await createPlatform())
  const phoneNumber = newPhone()
  const contact = { email: `${phoneNumber.slice(1)}@mail.example`, phoneNumber, verifiedPhoneNumber: phoneNumber }
  const { id } = await createCustomer(owner, { region: 'DE', ...contact, ...given })
  return { platform: owner, customerId: publicId('Customer', id), id }
}

/** A payer with a verified phone number. */
export const createEuropeanPayer = async (given: object = {}, platform?: Platform) => {
  const payer = await createPayer({ ...(platform && { platform }) })
  const phoneNumber = newPhone()
  await db.customer.updateMany({
    where: { platformId: payer.platform.id, id: partsOfId(payer.customerId).uuid },
    data: { region: 'DE', phoneNumber, verifiedPhoneNumber: phoneNumber, ...given },
  })
  return payer
}

/** The code of a secret, this many steps from now. Waits for the next step if the current one is about to end. */
export const codeOf = async (secret: string, steps = 0): Promise<string> => {
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 4_000) await new Promise((done) => setTimeout(done, left + 100))
  return hotp(Buffer.from(secret, 'hex'), stepAt(Date.now()) + steps)
}

/** Enrols with the code of the sandbox, which uses up no step. */
export const enrolTotp = async (platform: Platform, customerId: string) => {
  const { body: issued } = await callRest(platform, 'POST', '/sca/factors', { customerId, type: 'TOTP' })
  const { secret } = issued as { secret: string }
  const confirmation = { customerId, secret, code: '123456' }
  const { body } = await callRest(platform, 'POST', '/sca/factors/confirm', confirmation)
  return { secret, recoveryCodes: body.recoveryCodes as string[], factorId: body.factor.credentialId as string }
}

export const ORIGINS = ['https://app.example', 'https://pay.app.example']

export const enrolPasskey = async (platform: Platform, customerId: string) => {
  await changePlatform(platform, { passkeyOrigins: ORIGINS })
  const device = softwareAuthenticator()
  const { body: issued } = await callRest(platform, 'POST', '/sca/factors', { customerId, type: 'PASSKEY' })
  const credential = device.create(issued.options.challenge)
  const confirmation = { customerId, origin: ORIGINS[0], credential }
  const answer = await callRest(platform, 'POST', '/sca/factors/confirm', confirmation)
  return { device, issued, answer }
}
