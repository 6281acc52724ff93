// A mutation returns the object that it has changed, as it is after the change, so that a client needs no second request.
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { numberEvents } from '#events/numbering.ts'
import { newEvmWallet } from '#test/setup/accounts/wallet-keys.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createEuropean, createEuropeanPayer } from '#test/setup/sca/europeans.ts'
import { callRest, mutate } from '#test/setup/sca/sca-faces.ts'
import { createAgent, createCustomer, createPlatform } from '#test/setup/world.ts'
import { planDeliveries } from '#webhooks/sending/fan-out.ts'

it('the second factors and the login of a customer', async () => {
  const { platform, customerId } = await createEuropean()
  const change = async (name: string, input: object) => {
    const selection = 'customer { id sca { factors { factorType } failedAttempts authenticatedUntil } }'
    return (await mutate(platform, name, { customerId, ...input }, selection)).body.customer
  }
  const { body } = await callRest(platform, 'POST', '/sca/factors', { customerId, type: 'TOTP' })
  const confirmed = await change('confirmScaFactor', { secret: body.secret, code: '123456' })
  expect(confirmed).toMatchObject({ id: customerId, sca: { factors: [{ factorType: 'TOTP' }] } })
  const failed = await change('recordScaEvent', { eventType: 'FAILED_LOGIN_ATTEMPT' })
  expect(failed).toMatchObject({ id: customerId, sca: { failedAttempts: 1 } })
  const started = await change('startScaLogin', { factor: 'SMS_OTP' })
  expect(started).toMatchObject({ id: customerId, sca: { authenticatedUntil: null } })
  const completed = await change('completeScaLogin', { factor: 'SMS_OTP', code: '123456' })
  expect(completed).toMatchObject({ id: customerId, sca: { authenticatedUntil: expect.any(String) } })
})

it('the trust in an account', async () => {
  const { platform, iban: id } = await createEuropeanPayer()
  const change = async (name: string, proof: object = {}) =>
    (await mutate(platform, name, { id, ...proof }, 'account { id trusted }')).body.account
  expect(await change('trustExternalAccount')).toEqual({ id, trusted: false })
  expect(await change('confirmExternalAccountTrust', { code: '123456' })).toEqual({ id, trusted: true })
  expect(await change('untrustExternalAccount')).toEqual({ id, trusted: true })
})

it('the wallet whose owner is challenged', async () => {
  const platform = await createPlatform()
  const customerId = publicId('Customer', (await createCustomer(platform)).id)
  const accountInfo = { accountType: 'BASE_WALLET', address: newEvmWallet().address }
  const input = { customerId, currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo }
  const { body: account } = await callRest(platform, 'POST', '/customers/external-accounts', input)
  const challenged = await mutate(
    platform,
    'createOwnershipChallenge',
    { id: account.id, method: 'WALLET_SIGNATURE' },
    'externalAccount { id accountStatus }',
  )
  expect(challenged.body.externalAccount).toEqual({
    id: account.id,
    accountStatus: 'PENDING_OWNERSHIP_VERIFICATION',
  })
})

it('the agent that a device code connects', async () => {
  const platform = await createPlatform()
  const { id: customerId } = await createCustomer(platform)
  const agentId = publicId('Agent', (await createAgent(platform, { customerId })).id)
  const { body } = await mutate(platform, 'createAgentDeviceCode', { agentId }, 'agent { id }')
  expect(body.agent).toEqual({ id: agentId })
})

it('the endpoint whose deliveries are skipped and sent again', async () => {
  const platform = await createPlatform()
  const url = 'https://hooks.example/paygraph'
  await mutate(platform, 'setWebhookEndpoint', { url }, 'endpoint { url }')
  await numberEvents()
  await planDeliveries()
  const since = new Date(Date.now() - 60_000).toISOString()
  const text = 'query ($filter: WebhookDeliveryFilter) { webhookDeliveries(filter: $filter) { nodes { eventId } } }'
  const listed = async (filter: object) =>
    (await callGraphQL(basic(platform), text, { filter })).body.data.webhookDeliveries.nodes
  const [{ eventId }] = await listed({ startDate: since })
  expect(await listed({ endDate: since })).toEqual([])
  const skipped = await mutate(platform, 'skipEvent', { eventId }, 'endpoint { url waiting }')
  expect(skipped.body.endpoint).toEqual({ url, waiting: 0 })
  const again = await mutate(platform, 'redeliverEvents', { since }, 'count endpoint { url waiting }')
  expect(again.body).toMatchObject({ count: 1, endpoint: { url, waiting: 1 } })
})
