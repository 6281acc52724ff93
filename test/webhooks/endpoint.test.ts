// The platform sets where its events go (docs/domain/events.md#webhook-endpoint).
import { createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { interleaved } from '#test/setup/credentials/interleaved.ts'
import { basic } from '#test/setup/faces.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const SET = `mutation ($input: SetWebhookEndpointInput!) { setWebhookEndpoint(input: $input) {
  __typename
  ... on SetWebhookEndpointSuccess { secret endpoint { url types status signingPublicKey } }
  ... on ApiError { status code message details { field } } } }`
const READ = '{ webhookEndpoint { url types status signingPublicKey nextSigningPublicKey } }'

interface SetSuccess {
  readonly secret: string | null
  readonly endpoint: { readonly url: string; readonly signingPublicKey: string }
}

const overGraphQL = async (platform: Platform, query: string, input?: object) => {
  const { body } = await callGraphQL(basic(platform), query, { input })
  return body.data ? Object.values<Record<string, unknown>>(body.data)[0] : body
}
const patch = (platform: Platform, webhookEndpoint: unknown) => send(platform, 'PATCH', '/config', { webhookEndpoint })
const rotate = (platform: Platform, body?: object) => send(platform, 'POST', '/webhooks/key/rotate', body)

const URL_OF_PLATFORM = 'https://platform.example/webhooks'

it('shows the secret once, the same key always, and sends a test', async () => {
  const platform = await createPlatform()
  expect((await send(platform, 'GET', '/config')).body).not.toHaveProperty('webhookEndpoint')
  const first = (await patch(platform, URL_OF_PLATFORM)).body
  expect(first).toMatchObject({ id: `PlatformConfig:${platform.id}`, webhookEndpoint: URL_OF_PLATFORM })
  expect(Buffer.from(first.webhookSecret.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(createPublicKey(first.webhookSigningPublicKey).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
  const { webhookSecret: _, ...readable } = first
  expect((await send(platform, 'GET', '/config')).body).toEqual(readable)

  const moved = await overGraphQL(platform, SET, { url: `${URL_OF_PLATFORM}/2`, types: ['CARD_STATE_CHANGE', 'TEST'] })
  expect(moved).toMatchObject({ secret: null, endpoint: { types: ['CARD_STATE_CHANGE', 'TEST'], status: 'ENABLED' } })
  // REST changes the address and keeps the types.
  expect((await patch(platform, URL_OF_PLATFORM)).body.webhookSecret).toBeUndefined()
  expect(await overGraphQL(platform, READ)).toEqual({
    url: URL_OF_PLATFORM,
    types: ['CARD_STATE_CHANGE', 'TEST'],
    status: 'ENABLED',
    signingPublicKey: first.webhookSigningPublicKey,
    nextSigningPublicKey: null,
  })
  expect(await db.$queryRaw`select type::text from events where platform_id = ${platform.id}::uuid`).toEqual([
    { type: 'TEST' },
    { type: 'TEST' },
    { type: 'TEST' },
  ])

  // The key outlives the endpoint.
  const removed = (await patch(platform, null)).body
  expect(removed).not.toHaveProperty('webhookEndpoint')
  expect(removed.webhookSigningPublicKey).toBe(first.webhookSigningPublicKey)
  expect((await send(platform, 'GET', '/config')).body).toEqual(removed)
  expect(await overGraphQL(platform, READ)).toBeNull()
  const again = (await patch(platform, URL_OF_PLATFORM)).body
  expect(again.webhookSigningPublicKey).toBe(first.webhookSigningPublicKey)
  expect(again.webhookSecret).toMatch(/^whsec_/)
  expect(again.webhookSecret).not.toBe(first.webhookSecret)
})

it('has an id that finds it, for its platform only, until it is removed', async () => {
  const [platform, other] = [await createPlatform(), await createPlatform()]
  const find = async (by: Platform) => {
    const text = `query ($id: ID!) { webhookEndpoint { id waiting }
      node(id: $id) { __typename id ... on WebhookEndpoint { url endpointStatus waiting } } nodes(ids: [$id]) { id } }`
    const { body } = await callGraphQL(basic(by), text, { id: publicId('WebhookEndpoint', platform.id) })
    return body.data
  }
  const nothing = { webhookEndpoint: null, node: null, nodes: [null] }
  expect(await find(platform)).toEqual(nothing)
  await patch(platform, URL_OF_PLATFORM)
  const id = `WebhookEndpoint:${platform.id}`
  expect(await find(platform)).toEqual({
    webhookEndpoint: { id, waiting: expect.any(Number) },
    node: {
      __typename: 'WebhookEndpoint',
      id,
      url: URL_OF_PLATFORM,
      endpointStatus: 'ENABLED',
      waiting: expect.any(Number),
    },
    nodes: [{ id }],
  })
  expect(await find(other)).toEqual(nothing)
  await patch(platform, null)
  expect(await find(platform)).toEqual(nothing)
})

it('keeps its types unless they are given, and null means all', async () => {
  const platform = await createPlatform()
  const typesAfter = async (input: object) => {
    expect(await overGraphQL(platform, SET, { url: URL_OF_PLATFORM, ...input })).toHaveProperty('endpoint')
    return ((await overGraphQL(platform, READ)) as { readonly types: unknown }).types
  }
  expect(await typesAfter({})).toBeNull()
  expect(await typesAfter({ types: ['TEST'] })).toEqual(['TEST'])
  expect(await typesAfter({ url: `${URL_OF_PLATFORM}/2` })).toEqual(['TEST'])
  expect(await typesAfter({ types: null })).toBeNull()
})

it('keeps its URL unless it is given, and only null removes it', async () => {
  const platform = await createPlatform()
  const set = (input: object) => overGraphQL(platform, SET, input)
  const unset = { status: 400, code: 'WEBHOOK_ENDPOINT_NOT_SET' }
  expect(await set({ types: ['TEST'] })).toMatchObject(unset)
  await set({ url: URL_OF_PLATFORM })
  expect(await set({ types: ['TEST'] })).toMatchObject({
    secret: null,
    endpoint: { url: URL_OF_PLATFORM, types: ['TEST'], status: 'ENABLED' },
  })
  expect(await set({ url: null })).toMatchObject({ secret: null, endpoint: null })
  expect(await set({})).toMatchObject(unset)
  expect(await overGraphQL(platform, READ)).toBeNull()
})

it('of two first settings at the same time, one creates the key and the secret, and the other keeps them', async () => {
  const platform = await createPlatform()
  const set = (url: string) => overGraphQL(platform, SET, { url }) as Promise<SetSuccess>
  const [first, second] = await interleaved(
    'insert on webhook_endpoints',
    () => set(`${URL_OF_PLATFORM}/1`),
    () => set(`${URL_OF_PLATFORM}/2`),
  )
  expect(first.secret).toMatch(/^whsec_/)
  expect(second).toMatchObject({ secret: null, endpoint: { url: `${URL_OF_PLATFORM}/2` } })
  expect(second.endpoint.signingPublicKey).toBe(first.endpoint.signingPublicKey)
})

it('stores neither key nor secret in the clear', async () => {
  const platform = await createPlatform()
  const { webhookSecret } = (await patch(platform, URL_OF_PLATFORM)).body
  await rotate(platform)
  const [row] = await db.$queryRaw<{ text: string }[]>`
    select t::text || encode(sealed_secret, 'base64') as text from webhook_endpoints t where platform_id = ${platform.id}::uuid`
  const bytes = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')
  for (const form of [bytes.toString('hex'), bytes.toString('base64').slice(0, 40)])
    expect(row?.text).not.toContain(form)
  expect(row?.text).not.toContain('PRIVATE')
})

it('a rotation has two keys until it ends', async () => {
  const platform = await createPlatform()
  expect((await rotate(platform)).body.code).toBe('WEBHOOK_ENDPOINT_NOT_SET')
  const { webhookSigningPublicKey } = (await patch(platform, URL_OF_PLATFORM)).body
  expect((await rotate(platform, { finish: true })).body).toMatchObject({
    status: 409,
    details: { reason: 'NO_ROTATION' },
  })
  const open = (await rotate(platform)).body
  expect(open.signingPublicKey).toBe(webhookSigningPublicKey)
  expect(open.secret).toMatch(/^whsec_/)
  expect((await rotate(platform)).body).toMatchObject({ status: 409, details: { reason: 'ROTATION_OPEN' } })
  const ROTATE = `mutation ($input: RotateWebhookKeyInput!) { rotateWebhookKey(input: $input) {
    ... on RotateWebhookKeySuccess { secret endpoint { signingPublicKey nextSigningPublicKey } } } }`
  expect(await overGraphQL(platform, ROTATE, { finish: true })).toEqual({
    secret: null,
    endpoint: { signingPublicKey: open.nextSigningPublicKey, nextSigningPublicKey: null },
  })
})

it('a removal ends an open rotation, so that the next secret stays valid', async () => {
  const platform = await createPlatform()
  await patch(platform, URL_OF_PLATFORM)
  const keysOf = async () => {
    const [keys] = await db.$queryRaw<object[]>`
      select public_key, sealed_key, sealed_secret, next_key_at from webhook_endpoints where platform_id = ${platform.id}::uuid`
    return keys
  }
  await rotate(platform)
  await patch(platform, null)
  const { webhookSecret } = (await patch(platform, URL_OF_PLATFORM)).body
  expect(webhookSecret).toMatch(/^whsec_/)
  expect(await overGraphQL(platform, READ)).toMatchObject({ nextSigningPublicKey: null })
  const keys = await keysOf()
  expect(keys).toMatchObject({ next_key_at: null })
  expect((await rotate(platform, { finish: true })).body).toMatchObject({ details: { reason: 'NO_ROTATION' } })
  expect(await keysOf()).toEqual(keys)
})

describe('an address is refused', () => {
  const setBy = [
    {
      name: 'REST',
      field: 'webhookEndpoint',
      set: async (platform: Platform, url: string) => (await patch(platform, url)).body,
    },
    {
      name: 'GraphQL',
      field: 'input.url',
      set: (platform: Platform, url: string) => overGraphQL(platform, SET, { url }),
    },
  ]
  it.each(setBy)('over $name unless it is public', async ({ field, set }) => {
    const platform = await createPlatform()
    const bad = `http://localhost:4000/ http://127.0.0.1:4000 http://2130706433/ http://0x7f000001/ http://0177.0.0.1/ http://127.1/ http://[::1]/
      http://[::ffff:127.0.0.1]/ http://[64:ff9b::7f00:1]/ http://10.0.0.1/ http://169.254.169.254/latest http://metadata.google.internal/
      http://host/ http://a.localhost./ ftp://platform.example/ file:///etc/passwd javascript:alert(1) nonsense https://user:pass@platform.example/
      https://platform.example:22/ http://platform.example:443/ https://platform.example/#part`
    for (const url of bad.split(/\s+/)) {
      expect(await set(platform, url), url).toMatchObject({ status: 400, code: 'INVALID_INPUT', details: { field } })
    }
    for (const url of [
      'http://platform.example/a?b=c',
      'https://platform.example:8443',
      'http://[2606:4700::1111]/',
      'http://1.1.1.1/',
    ])
      expect(await set(platform, url), url).not.toHaveProperty('code')
  })

  it('in the clear, on a production platform', async () => {
    const platform = await createPlatform()
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    expect((await patch(platform, 'http://platform.example/')).body.code).toBe('INVALID_INPUT')
    expect((await patch(platform, URL_OF_PLATFORM)).status).toBe(200)
  })
})

it('needs MANAGE, and only fields that can change', async () => {
  const viewer = await createPlatform(['VIEW', 'TRANSACT'])
  expect((await patch(viewer, URL_OF_PLATFORM)).body.code).toBe('FORBIDDEN')
  expect((await send(viewer, 'GET', '/config')).status).toBe(200)
  const platform = await createPlatform(['MANAGE'])
  const { body } = await send(platform, 'PATCH', '/config', { webhookSigningPublicKey: 'x' })
  expect(body).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'webhookSigningPublicKey' } })
  expect((await patch(platform, 7)).body.code).toBe('INVALID_INPUT')
})

it('webhooks that come back to the service are refused', async () => {
  const platform = await createPlatform()
  const { body } = await send(platform, 'GET', '/config', undefined, { 'x-service-hop': '1' })
  expect(body).toMatchObject({ status: 403, code: 'FORBIDDEN' })
})
