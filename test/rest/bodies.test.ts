// JSON bodies of REST. On every route that takes one, a body that is not an object is rejected before any lookup.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { basic } from '#test/setup/faces.ts'
import { bytes, NOT_OBJECTS } from '#test/setup/not-objects.ts'
import { createCustomer, createInternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

const uuid = randomUUID()

const ROUTES: readonly [method: string, path: string, missing: 'TRANSACT' | 'MANAGE'][] = [
  ['POST', '/auth/credentials', 'TRANSACT'],
  ['POST', `/auth/credentials/AuthMethod:${uuid}/verify`, 'TRANSACT'],
  ['POST', `/auth/sessions/Session:${uuid}/refresh`, 'TRANSACT'],
  ['POST', `/internal-accounts/InternalAccount:${uuid}/export`, 'TRANSACT'],
  ['PATCH', `/internal-accounts/InternalAccount:${uuid}`, 'TRANSACT'],
  ['PATCH', `/customers/Customer:${uuid}`, 'MANAGE'],
]

let platform: Platform
let viewer: Platform

beforeAll(async () => {
  platform = await createPlatform()
  viewer = await createPlatform(['VIEW'])
})

interface Sent {
  readonly caller?: Platform | null
  readonly type?: string | null
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream
}

const send = async (method: string, path: string, { caller = platform, type = 'application/json', body }: Sent) => {
  const response = await app.fetch(
    new Request(`http://test/2025-10-13${path}`, {
      method,
      headers: { ...(caller && { authorization: basic(caller) }), ...(type !== null && { 'content-type': type }) },
      ...(body !== undefined && { body }),
      // Node requires it for streamed bodies, but the types lack it.
      ...{ duplex: 'half' },
    }),
  )
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the response.
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : {}) as any }
}

const NOT_JSON: Record<string, Sent> = {
  'another type': { body: '{}', type: 'text/plain' },
  'a form': { body: 'type=PASSKEY', type: 'application/x-www-form-urlencoded' },
  'a type that only begins like JSON': { body: '{}', type: 'application/jsonp' },
  'no type': { body: bytes('{}'), type: null },
  'another charset': { body: '{}', type: 'application/json; charset=utf-16' },
}

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

const TOO_MUCH: Record<string, Sent> = {
  '33 levels': { body: nested(33) },
  '130,000 levels': { body: nested(130_000) },
}

const BIG: readonly [text: string, field: string][] = [
  ['{"amount":9007199254740992}', 'amount'],
  ['{"a":{"b":[0,-9007199254740993]}}', 'a.b.1'],
  ['{"a":1e400}', 'a'],
]

describe.each(ROUTES)('%s %s', (method, path, permission) => {
  it.each(Object.keys(NOT_OBJECTS))('%s is INVALID_REQUEST_FORMAT', async (name) => {
    const { status, body } = await send(method, path, NOT_OBJECTS[name] ?? {})
    expect({ status, body }).toEqual({
      status: 400,
      body: { status: 400, code: 'INVALID_REQUEST_FORMAT', message: expect.any(String) },
    })
  })

  it('no body and no content type is INVALID_REQUEST_FORMAT', async () => {
    expect(await send(method, path, { type: null })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST_FORMAT' },
    })
  })

  it.each(Object.keys(NOT_JSON))('%s is UNSUPPORTED_MEDIA_TYPE', async (name) => {
    const { status, body } = await send(method, path, NOT_JSON[name] ?? {})
    expect({ status, body }).toEqual({
      status: 415,
      body: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: expect.any(String) },
    })
  })

  it('a body of 256 KiB plus one byte is PAYLOAD_TOO_LARGE', async () => {
    const { status, body } = await send(method, path, { body: `{"a":"${'x'.repeat(2 ** 18 - 7)}"}` })
    expect({ status, body }).toEqual({
      status: 413,
      body: { status: 413, code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('at most') },
    })
  })

  it.each(Object.keys(TOO_MUCH))('%s is INVALID_INPUT', async (name) => {
    const { status, body } = await send(method, path, TOO_MUCH[name] ?? {})
    expect({ status, body }).toEqual({
      status: 400,
      body: { status: 400, code: 'INVALID_INPUT', message: expect.stringContaining('at most') },
    })
  })

  it.each(BIG)('%s, which JSON.parse would round, is INVALID_INPUT', async (text, field) => {
    const { status, body } = await send(method, path, { body: text })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', details: { field } } })
  })

  it('credentials are checked before permissions, and permissions before the body', async () => {
    const broken = { body: '{' }
    expect(await send(method, path, { ...broken, caller: null })).toMatchObject({ status: 401 })
    expect(await send(method, path, { ...broken, caller: viewer })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining(permission) },
    })
  })

  it('the same member name in several objects is not a duplicate', async () => {
    const body = '{"a":{"type":1},"b":[{"type":2},{"type":"type"}],"type":"c"}'
    expect((await send(method, path, { body })).body.code).not.toBe('INVALID_REQUEST_FORMAT')
  })

  it('a JSON object is accepted with unknown members and any spelling of its content type', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
      const { body } = await send(method, path, { type, body: ` ${nested(32)} ` })
      expect(body.code).not.toBe('INVALID_REQUEST_FORMAT')
      expect(body.message).not.toContain('at most')
    }
  })
})

it('the gateway stops reading a body that is too long', async () => {
  let read = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      read += 65_536
      controller.enqueue(Buffer.alloc(65_536, ' '))
    },
  })
  const { status } = await send('POST', '/auth/credentials', { body: endless })
  expect(status).toBe(413)
  console.log(`endless body: ${read} bytes read`)
  expect(read).toBeLessThan(2 ** 19)
})

describe('the body of a challenge', () => {
  /** Returns an EMAIL_OTP credential of a new wallet. */
  const createCredential = async () => {
    const { id: customerId } = await createCustomer(platform, { email: `${randomUUID()}@customer.example` })
    const { id } = await createInternalAccount(platform, { customerId, type: 'EMBEDDED_WALLET', currency: 'USDC' })
    const body = JSON.stringify({ type: 'EMAIL_OTP', accountId: `InternalAccount:${id}` })
    const created = await send('POST', '/auth/credentials', { body })
    expect(created.status).toBe(201)
    return created.body.id as string
  }

  it.each(['nothing at all', 'broken JSON', 'an array'])('may be %s for a one-time code', async (name) => {
    const id = await createCredential()
    const { status, body } = await send(
      'POST',
      `/auth/credentials/${id}/challenge`,
      { ...NOT_OBJECTS, ...NOT_JSON }[name] ?? {},
    )
    expect({ status, body }).toMatchObject({ status: 200, body: { id, otpEncryptionTargetBundle: expect.any(String) } })
  })

  it('is refused the sixth time, with the number of seconds to wait', async () => {
    const id = await createCredential()
    const challenge = () => send('POST', `/auth/credentials/${id}/challenge`, { type: null })
    for (let issued = 0; issued < 5; issued++) expect((await challenge()).status).toBe(200)
    const { status, body, headers } = await challenge()
    expect({ status, body }).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(headers.get('retry-after')).toBe(String(body.details.retryAfterSeconds))
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })

  it('is not read before the permission is checked', async () => {
    const path = `/auth/credentials/AuthMethod:${uuid}/challenge`
    expect(await send('POST', path, { body: '{', caller: viewer })).toMatchObject({ status: 403 })
    expect(await send('POST', path, { body: '{' })).toMatchObject({ status: 404 })
  })
})
