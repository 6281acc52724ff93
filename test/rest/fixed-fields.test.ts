// Every write of a resource refuses the fields of the resource that it does not take. Both are read from the contract.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { type Acting, createActing } from '#test/setup/agents/acting-agents.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { formOf, pdf } from '#test/setup/verification/uploads.ts'
import { createWallet } from '#test/setup/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the contract is JSON.
type Json = any

const contract: Json = JSON.parse(readFileSync('src/rest/openapi.json', 'utf8'))

const resolved = (part: Json): Json =>
  part?.$ref
    ? resolved(
        part.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, name: string) => at[name], contract),
      )
    : part

/** The fields of a schema, or of all its variants. */
const fieldsOf = (schema: Json): string[] => {
  const { properties = {}, oneOf = [], anyOf = [], allOf = [] } = resolved(schema) ?? {}
  return [...Object.keys(properties), ...[...oneOf, ...anyOf, ...allOf].flatMap(fieldsOf)]
}

interface Write {
  readonly method: string
  readonly path: string
  readonly isForm: boolean
  readonly fixed: readonly string[]
}

/** A reset of factors is begun, not written. */
const reads = Object.keys(contract.paths).filter((path) => contract.paths[path].get && !path.includes('/reset/'))
/** What is created can be read by its id. */
const isCreation = (path: string) =>
  reads.some((read) => read.replace(/\{\w+\}$/, '') === `${path}/`) || path === '/auth/credentials'
/** Transfers create transactions, and the other calls decide on them or on actions of agents. */
const isPayment = (path: string) => /^\/(transfer-|transactions\/|agents\/\{\w+\}\/actions\/)/.test(path)

const writes: readonly Write[] = Object.entries<Json>(contract.paths).flatMap(([path, operations]) =>
  Object.entries<Json>(operations)
    .filter(
      ([method]) => ['put', 'patch'].includes(method) || (method === 'post' && (isCreation(path) || isPayment(path))),
    )
    .filter(([, { requestBody }]) => requestBody !== undefined)
    .map(([method, { requestBody, responses }]) => {
      const [[type, { schema }] = ['', {}]] = Object.entries<Json>(requestBody.content)
      const answer = resolved(responses[201] ?? responses[200])?.content?.['application/json']?.schema
      const resource = resolved(answer)?.properties?.agent ?? answer
      const taken = fieldsOf(schema)
      const fixed = [...new Set(fieldsOf(resource))].filter((field) => !taken.includes(field))
      return { method: method.toUpperCase(), path, isForm: type === 'multipart/form-data', fixed }
    })
    .filter(({ fixed }) => fixed.length > 0),
)

describe('a write refuses', () => {
  let acting: Acting
  let wallet: string

  beforeAll(async () => {
    acting = await createActing()
    wallet = (await createWallet(acting.platform)).accountId
  })

  const idFor = (path: string): string => {
    if (path.startsWith('/agents/')) return acting.agentId
    if (path.startsWith('/customers/')) return acting.customerId
    if (path.startsWith('/internal-accounts/')) return wallet
    if (path.startsWith('/transactions/')) return publicId('Transaction', randomUUID())
    if (path.startsWith('/cards/')) return publicId('Card', randomUUID())
    return publicId(path.startsWith('/documents/') ? 'Document' : 'BeneficialOwner', randomUUID())
  }

  it.each(writes)('$method $path: $fixed', async ({ method, path, isForm, fixed }) => {
    const who = path.startsWith('/agents/me') ? acting.agent : basic(acting.platform)
    const filled = path
      .replace('{actionId}', () => publicId('AgentAction', randomUUID()))
      .replace(/\{\w+\}/, () => idFor(path))
    for (const field of fixed) {
      const body = { customerType: 'INDIVIDUAL', type: 'EMAIL_OTP', [field]: 'x' }
      const answer = await callRest(who, method, filled, isForm ? formOf(pdf(100), body) : body, null, {
        'idempotency-key': randomUUID(),
      })
      const { code, details } = answer.body
      const named = [details?.field, ...(details?.errors ?? []).map((error: Json) => error.field)]
      expect({ field, code, named }).toEqual({ field, code: 'INVALID_INPUT', named: expect.arrayContaining([field]) })
    }
  })

  it('read-only fields of the currencies in PATCH /config', async () => {
    const { supportedCurrencies } = resolved(
      contract.paths['/config'].get.responses[200].content['application/json'].schema,
    ).properties
    const fixed = Object.keys(resolved(supportedCurrencies.items).properties).filter((name) =>
      name.startsWith('provider'),
    )
    expect(fixed).toHaveLength(2)
    for (const field of fixed) {
      const body = { supportedCurrencies: [{ currencyCode: 'USD', [field]: [] }] }
      const { details } = (await callRest(basic(acting.platform), 'PATCH', '/config', body)).body
      expect(details.errors).toContainEqual(
        expect.objectContaining({
          field: `supportedCurrencies.0.${field}`,
          message: expect.stringContaining('cannot be set'),
        }),
      )
    }
  })

  it('a nickname for a credential whose type gives it one', async () => {
    const { accountId } = await createWallet(acting.platform)
    const body = { type: 'EMAIL_OTP', accountId, nickname: 'Mine' }
    const { status, body: refused } = await callRest(basic(acting.platform), 'POST', '/auth/credentials', body)
    expect([status, refused.details.field]).toEqual([400, 'nickname'])
  })

  it('in every place where a resource is written', () => {
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /auth/credentials',
        'POST /cards',
        'POST /agents',
        'PATCH /agents/{agentId}/policy',
        'PUT /documents/{documentId}',
        'POST /quotes',
        'POST /agents/me/quotes',
        'POST /transfer-in',
        'POST /transfer-out',
        'POST /transactions/{transactionId}/approve',
        'POST /transactions/{transactionId}/cancel',
        'POST /transactions/{transactionId}/confirm',
        'POST /transactions/{transactionId}/reject',
        'POST /agents/{agentId}/actions/{actionId}/reject',
      ]),
    )
  })
})
