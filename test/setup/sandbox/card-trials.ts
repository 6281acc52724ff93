// Tries the magic values of cards over REST. Each returns the observed outcome.
import { randomUUID } from 'node:crypto'
import { partsOfId, publicId } from '#core/ids.ts'
import { createShopper, purchase } from '#test/setup/cards/shoppers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createInternalAccount, type Platform } from '#test/setup/world.ts'

const advance = (by: Platform) => send(by, 'POST', '/sandbox/advance-time', { seconds: 10 })

export const ordersCard = async (suffix: string) => {
  const { platform: by, customerId, accountId } = await createShopper()
  const order = {
    cardholderId: customerId,
    form: 'VIRTUAL',
    fundingSources: [accountId],
    platformCardId: `card-${suffix}`,
  }
  const { body } = await send(by, 'POST', '/cards', order)
  await advance(by)
  const { body: card } = await send(by, 'GET', `/cards/${body.id}`)
  return card.stateReason ? `${card.state} ${card.stateReason}` : card.state
}

export const fundsCard = async (suffix: string) => {
  const { platform: by, customerId } = await createShopper()
  const id = `${randomUUID().slice(0, -3)}${suffix}`
  await createInternalAccount(by, { id, customerId: partsOfId(customerId).uuid })
  const fundingSources = [publicId('InternalAccount', id)]
  const { status, body } = await send(by, 'POST', '/cards', {
    cardholderId: customerId,
    form: 'VIRTUAL',
    fundingSources,
  })
  return body.details?.reason ?? String(status)
}

export const buys = async (suffix: string) => {
  const shopper = await createShopper()
  const { platform: by, cardId } = shopper
  const path = `/sandbox/cards/${cardId}/simulate`
  await send(by, 'POST', `${path}/authorization`, purchase(100, suffix))
  await advance(by)
  const { body } = await send(by, 'GET', `/transactions?accountIdentifier=${shopper.accountId}`)
  const [use] = body.data
  if (!use) return 'declined'
  const pulled = use.pullSummary.pendingCount === 0 ? 'pulled' : 'not pulled yet'
  await send(by, 'POST', `${path}/clearing`, { cardTransactionId: use.id, amount: 100 })
  await advance(by)
  return `${pulled}, ${(await send(by, 'GET', `/transactions/${use.id}`)).body.status}`
}
