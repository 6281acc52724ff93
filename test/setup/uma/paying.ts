// A gateway in this process as an institution that pays, and other institutions that answer it.
import { db } from '#database/db.ts'
import { createPayer, type Payer } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { type Counterpart, startCounterpart } from '#test/setup/uma/counterpart.ts'
import { createKeys } from '#uma/own-keys.ts'
import { putProvider } from '#uma/providers/provider.ts'

export const ALICE = '$alice@ours.example'
export let payer: Payer
let made = 0
const counterparts: Counterpart[] = []

/** Call it first. */
export const openPayer = async () => {
  payer = await createPayer()
  const { id } = payer.platform
  await db.platform.update({ where: { id }, data: { umaDomain: 'ours.example' } })
  // An earlier file of the process has given them to its platform.
  await db.umaKeys.deleteMany({ where: { domain: 'ours.example' } })
  await createKeys(id, 'ours.example')
  const where = { platformId_id: { platformId: id, id: payer.customerId.slice('Customer:'.length) } }
  await db.customer.update({ where, data: { umaAddress: ALICE, name: 'Alice' } })
}
export const closePayer = () => {
  for (const counterpart of counterparts) counterpart.close()
}

/** A provider that no platform has dealt with yet. */
export const meet = async (): Promise<Counterpart> => {
  made += 1
  const counterpart = await startCounterpart(`h${made}.example`, ALICE)
  counterparts.push(counterpart)
  await putProvider(payer.platform.id, {
    domain: counterpart.domain,
    name: counterpart.domain,
    rootFingerprint: counterpart.fingerprint,
    baseUrl: counterpart.url,
  })
  return counterpart
}

export const lookUp = (address: string) =>
  send(payer.platform, 'GET', `/receiver/uma/${encodeURIComponent(address)}?customerId=${payer.customerId}`)

export const quote = (address: string, lookupId: string, more: object = {}) =>
  send(payer.platform, 'POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: payer.dollars },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: address },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    lookupId,
    ...more,
  })
