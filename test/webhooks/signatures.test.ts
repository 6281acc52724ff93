// Webhooks are signed so that receivers in any language can distinguish them from forgeries (docs/domain/events.md#webhook-signatures).
import { spawnSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { p256 } from '@noble/curves/nist.js'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, it } from 'vitest'
import contract from '#rest/openapi.json' with { type: 'json' }
import { send } from '#test/setup/payments/payment-faces.ts'
import { changeAccounts, createAccounts, setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { type Received, startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import { createPlatform } from '#test/setup/world.ts'

const BODIES = Number(process.env['WEBHOOK_BODIES'] ?? 20)
// The samples also work in a folder with a space in its name.
const place = mkdtempSync(join(tmpdir(), 'paygraph webhooks '))
cpSync('examples/webhooks', place, { recursive: true })

useSending()
afterAll(() => rmSync(place, { recursive: true }))

const receiveMany = async (count: number, { isRotating = false } = {}) => {
  const receiver = await startReceiver()
  const platform = await createPlatform()
  const keys = await setEndpoint(platform, receiver.url)
  const next = isRotating ? (await send(platform, 'POST', '/webhooks/key/rotate')).body : null
  const accounts = await createAccounts(platform, 20)
  for (let made = 0; made < count; made += 20) await changeAccounts(platform, accounts)
  await expect.poll(() => receiver.received.length, { timeout: 200_000, interval: 50 }).toBeGreaterThanOrEqual(count)
  receiver.close()
  return { ...keys, received: receiver.received, next }
}

const altered = (one: Received): Received => ({ ...one, text: one.text.replace('"type"', '"Type"') })
/** Each request has one header that a stranger may send: none, letters that take two bytes each, as many as a signature has, or other JSON. */
const garbled = (one: Received, headers: readonly string[]): Received[] =>
  headers.flatMap((header) =>
    [undefined, 'é'.repeat(String(one.headers[header]).length), 'null', '[]', '{"v":"1","s":"é"}'].map((text) => ({
      ...one,
      headers: { ...one.headers, [header]: text },
    })),
  )
const STANDARD_HEADERS = ['webhook-signature', 'webhook-timestamp', 'webhook-id']

/** What a sample prints for each request. */
const judgedBy = (command: string, script: string, publicKey: string, secret: string, all: readonly Received[]) => {
  const key = join(place, 'key.pem')
  writeFileSync(key, publicKey)
  const lines = all.map(({ headers, text }) => JSON.stringify({ headers, body: Buffer.from(text).toString('base64') }))
  const { stdout, stderr } = spawnSync(command, [join(place, script), key, secret], {
    input: lines.join('\n'),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

const judgedByOpenssl = (publicKey: string, { headers, text }: Received) => {
  const [key, body] = ['key.pem', 'body.bin'].map((name) => join(place, name)) as [string, string]
  writeFileSync(key, publicKey)
  writeFileSync(body, text)
  const signature = String(headers['x-service-signature'])
  return spawnSync('sh', ['examples/webhooks/verify.sh', key, body, signature], { encoding: 'utf8' }).stdout.trim()
}

const SAMPLES = [
  ['node', 'verify.mjs'],
  ['python3', 'verify.py'],
] as const

it('verifies in JavaScript, in Python, with openssl and with standardwebhooks', async () => {
  const { received, publicKey, secret } = await receiveMany(BODIES)
  const { publicKey: otherKey, secret: otherSecret } = await receiveMany(1)
  const all = Array(received.length).fill('true')
  const none = Array(received.length).fill('false')
  const forged = garbled(received[0] as Received, [...STANDARD_HEADERS, 'x-service-signature'])
  for (const [command, script] of SAMPLES) {
    expect(judgedBy(command, script, publicKey, secret, received), script).toEqual(all)
    expect(judgedBy(command, script, publicKey, secret, received.map(altered)), script).toEqual(none)
    expect(judgedBy(command, script, publicKey, secret, forged), script).toEqual(forged.map(() => 'false'))
    expect(judgedBy(command, script, otherKey, secret, received), script).toEqual(none)
    expect(judgedBy(command, script, publicKey, otherSecret, received), script).toEqual(none)
  }
  const some = received.slice(0, 20)
  for (const one of some) {
    expect(judgedByOpenssl(publicKey, one)).toBe('true')
    expect(judgedByOpenssl(publicKey, altered(one))).toBe('false')
    expect(judgedByOpenssl(otherKey, one)).toBe('false')
  }
  const standard = new Webhook(secret)
  for (const { text, headers } of received) {
    expect(standard.verify(text, headers as Record<string, string>)).toEqual(JSON.parse(text))
    expect(() => standard.verify(`${text} `, headers as Record<string, string>)).toThrow()
    const { s } = JSON.parse(String(headers['x-service-signature']))
    expect(p256.Signature.fromBytes(Buffer.from(s, 'base64'), 'der').hasHighS()).toBe(false)
  }
  console.log(
    `bodies ${received.length}, verified in JavaScript, in Python and by standardwebhooks ${all.length}, with openssl ${some.length}`,
  )
})

it('verifies by the sample in the contract, and has the headers and the body of the contract', async () => {
  const { received, secret } = await receiveMany(3)
  const { description, parameters } = contract.webhooks.event.post
  const { required } = contract.components.schemas.InternalAccountEvent
  const sample = /```js\n([^`]*(?:`[^`]+`[^`]*)*?)```/.exec(description)?.[1]
  const judge = new Function(
    'createHmac',
    'timingSafeEqual',
    'secret',
    'headers',
    'rawBody',
    `${sample}; return isGenuine`,
  )
  const isGenuine = ({ headers, text }: Received, key = secret) =>
    judge(createHmac, timingSafeEqual, key, headers, Buffer.from(text))
  for (const one of received) {
    expect(isGenuine(one)).toBe(true)
    expect(isGenuine(altered(one))).toBe(false)
    for (const forged of garbled(one, STANDARD_HEADERS)) expect(isGenuine(forged)).toBe(false)
    expect(isGenuine(one, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false)
    expect(Object.keys(one.headers)).toEqual(expect.arrayContaining(parameters.map(({ name }) => name)))
    expect(Object.keys(JSON.parse(one.text))).toEqual(required)
  }
})

it('during a rotation the current and the next key both verify', async () => {
  const { received, publicKey, secret, next } = await receiveMany(20, { isRotating: true })
  const all = Array(received.length).fill('true')
  for (const [command, script] of SAMPLES) {
    expect(judgedBy(command, script, publicKey, secret, received), script).toEqual(all)
    expect(judgedBy(command, script, next.nextSigningPublicKey, next.secret, received), script).toEqual(all)
  }
  for (const key of [publicKey, next.nextSigningPublicKey])
    expect(judgedByOpenssl(key, received[0] as Received)).toBe('true')
  for (const { text, headers } of received)
    for (const each of [secret, next.secret]) new Webhook(each).verify(text, headers as Record<string, string>)
})
