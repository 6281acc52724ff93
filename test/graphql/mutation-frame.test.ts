// Behaviour that all mutations share: errors as payload members, signed-retry headers, one credential per operation.
// Own process: loads the gateway with two more mutations.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ErrorCode, ErrorDetails } from '#core/errors.ts'
import type { Platform } from '#test/setup/world.ts'

interface Probe {
  readonly code?: string | null | undefined
  readonly details?: unknown
}

/** The input of each call to the test mutations. */
const calls: { readonly name: string; readonly requestId: string | null; readonly signature: string | null }[] = []
const inputs: unknown[] = []

/** A gateway with two additional mutations: `probe`, and `tryCredential`, which uses a credential. */
const startGateway = async () => {
  const { ApiError } = await import('#core/errors.ts')
  const { builder } = await import('#graphql/builder.ts')
  const { addMutation, payloadOf } = await import('#graphql/mutation.ts')
  const { proofOf, SignedRetryInput } = await import('#credentials/signed-retry/graphql.ts')
  const input = builder.inputType('ProbeInput', {
    fields: (t) => ({
      code: t.string(),
      details: t.field({ type: 'JSON' }),
      signedRetry: t.field({ type: SignedRetryInput }),
    }),
  })
  const done = builder.objectRef<{ done: boolean }>('ProbeDone').implement({
    fields: (t) => ({ done: t.exposeBoolean('done') }),
  })
  const payload = payloadOf('ProbePayload', 'Of a probe.', [done], [400, 401, 403, 404, 409, 429])
  const fail = ({ code, details }: Probe) => {
    if (code === 'CRASH') throw new Error('the text of a crash')
    if (code) throw new ApiError(code as ErrorCode, 'What went wrong', details as ErrorDetails)
  }
  for (const name of ['probe', 'tryCredential']) {
    addMutation(name, {
      description: 'For tests.',
      input,
      payload,
      usesCredential: name === 'tryCredential',
      placeOf: (_input, field) => (field === 'type' ? 'input.kind' : `input.kind.${field}`),
      resolve: async (probe, _context, headers) => {
        calls.push({ name, ...proofOf(probe, headers) })
        inputs.push({ ...probe })
        fail(probe)
        return { __typename: 'ProbeDone', done: true }
      },
    })
  }
  const { app } = await import('#app.ts')
  const { basic } = await import('#test/setup/faces.ts')
  const { createPlatform } = await import('#test/setup/world.ts')
  return { app, basic, platform: await createPlatform() }
}

/** Input fields that carry a proof or request one. */
const PROOFS = ['signedRetry', 'proof', 'clientPublicKey', 'walletSignature', 'code', 'passkeyAssertion']

interface MutationField {
  readonly name: string
  readonly args: readonly {
    readonly type: { readonly ofType: { readonly inputFields: readonly { name: string }[] } }
  }[]
}

interface Executed {
  readonly http: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the response.
  readonly data: Record<string, any> | null
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly errors?: readonly any[]
}

const FAILURE = `... on ApiError {
    status code message details { field constraint { enum maxLength } reason other } traceId
    ... on RateLimitError { retryAfterSeconds }
  }`

let gateway: Awaited<ReturnType<typeof startGateway>>

beforeAll(async () => {
  gateway = await startGateway()
})

beforeEach(() => {
  calls.length = 0
  inputs.length = 0
})

const run = async (
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
  caller: Platform | null = gateway.platform,
): Promise<Executed> => {
  const response = await gateway.app.fetch(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(caller && { authorization: gateway.basic(caller) }),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    }),
  )
  return {
    http: response.status,
    headers: response.headers,
    ...((await response.json()) as Omit<Executed, 'http' | 'headers'>),
  }
}

const PROBE = `mutation ($input: ProbeInput!) { probe(input: $input) { __typename ... on ProbeDone { done } ${FAILURE} } }`

describe('an error is a member of the payload', () => {
  it.each([
    [400, 'INVALID_INPUT', 'BadRequestError'],
    [400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'BadRequestError'],
    [401, 'UNAUTHORIZED', 'UnauthorizedError'],
    [401, 'WALLET_SIGNATURE_INVALID', 'UnauthorizedError'],
    [403, 'FORBIDDEN', 'ForbiddenError'],
    [404, 'REFERENCE_NOT_FOUND', 'NotFoundError'],
    [409, 'CONFLICT', 'ConflictError'],
  ])('%i %s', async (status, code, typeName) => {
    const { http, headers, data, errors } = await run(PROBE, { input: { code } })
    expect({ http, errors }).toEqual({ http: 200, errors: undefined })
    expect(headers.get('www-authenticate')).toBeNull()
    expect(headers.get('retry-after')).toBeNull()
    expect(data?.['probe']).toEqual({
      __typename: typeName,
      status,
      code,
      message: 'What went wrong',
      details: null,
      traceId: headers.get('x-request-id'),
    })
  })

  it('with its details, and the field as it is in the input', async () => {
    const details = { field: 'nickname', constraint: { maxLength: 100 }, reason: 'WHY', attempts: 3 }
    const { data } = await run(PROBE, { input: { code: 'INVALID_INPUT', details } })
    expect(data?.['probe'].details).toEqual({
      field: 'input.kind.nickname',
      constraint: { enum: null, maxLength: 100 },
      reason: 'WHY',
      other: { attempts: 3 },
    })
  })

  it('429 has the seconds to wait in a field and in a header', async () => {
    const { data, headers } = await run(PROBE, {
      input: { code: 'RATE_LIMITED', details: { retryAfterSeconds: 17 } },
    })
    expect(data?.['probe']).toMatchObject({ __typename: 'RateLimitError', status: 429, retryAfterSeconds: 17 })
    expect(headers.get('retry-after')).toBe('17')
  })

  it('and so is success', async () => {
    const { data } = await run(PROBE, { input: {} })
    expect(data).toEqual({ probe: { __typename: 'ProbeDone', done: true } })
  })
})

it('an omitted variable omits its field, and null stays null', async () => {
  const fields = '{ code: $code, details: $details, signedRetry: { requestId: $id } }'
  const query = `mutation ($code: String, $details: JSON = { a: 1 }, $id: ID) { probe(input: ${fields}) { __typename } }`
  for (const variables of [{}, { code: null, details: null, id: null }, { id: 'x' }]) await run(query, variables)
  expect(inputs).toEqual([
    { details: { a: 1 }, signedRetry: {} },
    { code: null, details: null, signedRetry: { requestId: null } },
    { details: { a: 1 }, signedRetry: { requestId: 'x' } },
  ])
})

it.each([
  ['SERVICE_UNAVAILABLE', 503],
  ['EMAIL_OTP_CREDENTIAL_SYNC_FAILED', 424],
])('%s is in errors, because the payload has no member for it', async (code, status) => {
  const { http, data, errors } = await run(PROBE, { input: { code } })
  expect({ http, data }).toEqual({ http: 200, data: { probe: null } })
  expect(errors).toMatchObject([{ message: 'What went wrong', path: ['probe'], extensions: { status, code } }])
})

it('an unexpected exception is INTERNAL_ERROR without its message', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const { data, errors } = await run(PROBE, { input: { code: 'CRASH' } })
  write.mockRestore()
  expect(data).toEqual({ probe: null })
  expect(errors).toMatchObject([{ extensions: { status: 500, code: 'INTERNAL_ERROR' } }])
  expect(JSON.stringify(errors)).not.toContain('crash')
})

it('invalid API credentials fail the whole request with HTTP 401', async () => {
  const wrong = { ...gateway.platform, secret: 'wrong' }
  for (const caller of [null, wrong]) {
    const { http, headers, data, errors } = await run(PROBE, { input: {} }, {}, caller)
    expect({ http, data }).toEqual({ http: 401, data: undefined })
    expect(headers.get('www-authenticate')).toContain('Basic')
    expect(errors).toMatchObject([{ extensions: { status: 401, code: 'UNAUTHORIZED' } }])
  }
  expect(calls).toEqual([])
})

describe('the headers of a signed retry', () => {
  const headers = { 'request-id': 'from-header', 'service-wallet-signature': 'stamp-from-header' }
  const fromHeader = { name: 'probe', requestId: 'from-header', signature: 'stamp-from-header' }
  const none = { name: 'probe', requestId: null, signature: null }

  it('apply to the only mutation', async () => {
    await run(PROBE, { input: {} }, headers)
    await run(PROBE, { input: { signedRetry: null } }, headers)
    await run('mutation { __typename again: probe(input: {}) { __typename } }', {}, headers)
    expect(calls).toEqual([fromHeader, fromHeader, fromHeader])
  })

  it('apply one by one, and an empty one counts as absent', async () => {
    await run(PROBE, { input: {} }, { 'request-id': 'from-header' })
    await run(PROBE, { input: {} }, { 'request-id': '', 'service-wallet-signature': 'stamp-from-header' })
    expect(calls).toEqual([
      { ...none, requestId: 'from-header' },
      { ...none, signature: 'stamp-from-header' },
    ])
  })

  it('are overridden by the input', async () => {
    await run(PROBE, { input: { signedRetry: { requestId: 'mine', walletSignature: 'my-stamp' } } }, headers)
    await run(PROBE, { input: { signedRetry: { walletSignature: 'my-stamp' } } }, headers)
    expect(calls).toEqual([
      { name: 'probe', requestId: 'mine', signature: 'my-stamp' },
      { name: 'probe', requestId: null, signature: 'my-stamp' },
    ])
  })

  it.each([
    ['an alias', '{ a: probe(input: {}) { __typename } b: probe(input: {}) { __typename } }'],
    ['an inline fragment', '{ probe(input: {}) { __typename } ... { b: probe(input: {}) { __typename } } }'],
    [
      'a fragment',
      '{ probe(input: {}) { __typename } ...Other } fragment Other on Mutation { b: probe(input: {}) { __typename } }',
    ],
  ])('are ignored with a second mutation in %s', async (_where, operation) => {
    await run(`mutation ${operation}`, {}, headers)
    expect(calls).toEqual([none, none])
  })

  it('consider only the operation that runs', async () => {
    const both = `mutation ($no: Boolean! = false) {
      a: probe(input: {}) { __typename } a: probe(input: {}) { __typename }
      b: probe(input: {}) @include(if: $no) { __typename }
      c: probe(input: {}) @skip(if: true) { __typename }
    }`
    await run(both, {}, headers)
    await run(both, { no: true }, headers)
    expect(calls).toEqual([fromHeader, none, none])
  })
})

describe('an operation may contain one mutation that uses a credential', () => {
  const TRY = `tryCredential(input: {}) { __typename ${FAILURE} }`

  it('alone, beside other mutations, and beside skipped ones', async () => {
    await run(`mutation { ${TRY} }`)
    await run(`mutation { ${TRY} probe(input: {}) { __typename } }`)
    await run(`mutation { ${TRY} again: tryCredential(input: {}) @skip(if: true) { __typename } }`)
    expect(calls.map(({ name }) => name)).toEqual(['tryCredential', 'tryCredential', 'probe', 'tryCredential'])
  })

  it.each([
    ['aliases', `{ a: ${TRY} b: ${TRY} c: ${TRY} }`, ['a', 'b', 'c']],
    ['fragments', `{ a: ${TRY} ...More } fragment More on Mutation { ... { b: ${TRY} } }`, ['a', 'b']],
    [
      'another of them',
      `{ a: ${TRY} b: challengeCredential(input: { id: "AuthMethod:x" }) { __typename ${FAILURE} } }`,
      ['a', 'b'],
    ],
  ])('with %s all are 400, and none runs', async (_how, operation, aliases) => {
    const { http, data } = await run(`mutation ${operation}`)
    expect(http).toBe(200)
    for (const alias of aliases) {
      expect(data?.[alias]).toMatchObject({ __typename: 'BadRequestError', status: 400, code: 'INVALID_INPUT' })
    }
    expect(calls).toEqual([])
  })

  it('and mutations that use none still run', async () => {
    const { data } = await run(`mutation { a: ${TRY} b: ${TRY} probe(input: {}) { __typename } }`)
    expect(data?.['probe']).toEqual({ __typename: 'ProbeDone' })
    expect(calls.map(({ name }) => name)).toEqual(['probe'])
  })

  it('all of the 20 that fit into one operation are refused', async () => {
    const tries = Array.from({ length: 20 }, (_, n) => `a${n}: tryCredential(input: {}) { ... on ApiError { code } }`)
    const { data } = await run(`mutation { ${tries.join(' ')} }`)
    expect(Object.values(data ?? {})).toEqual(tries.map(() => ({ code: 'INVALID_INPUT' })))
    expect(calls).toEqual([])
  })
})

it('every mutation that takes a signed retry, a challenge or a proof counts as using a credential', async () => {
  const inputFields = 'args { type { ofType { inputFields { name } } } }'
  const { data } = await run(`{ __type(name: "Mutation") { fields { name ${inputFields} } } }`)
  const fields: readonly MutationField[] = data?.['__type'].fields ?? []
  const ours = fields
    .filter(({ args }) => args[0]?.type.ofType.inputFields.some(({ name }) => PROOFS.includes(name)))
    .map(({ name }) => name)
    .filter((name) => !['probe', 'tryCredential'].includes(name))
  const some = ['registerCredential', 'challengeCredential', 'exportWallet', 'updateCustomer', 'redeemAgentDeviceCode']
  expect(ours).toEqual(expect.arrayContaining(some))
  const inputs: Record<string, string> = {
    registerCredential: '{ accountId: "x", credential: { otp: EMAIL_OTP } }',
    verifyCredential: '{ id: "x", proof: { emailOtp: { encryptedOtpBundle: "x" } } }',
    refreshSession: '{ id: "x", clientPublicKey: "x" }',
    exportWallet: '{ id: "x", clientPublicKey: "x" }',
    redeemAgentDeviceCode: '{ code: "x" }',
    claimInvitation: '{ code: "x", inviteeUma: "x" }',
    cancelInvitation: '{ code: "x" }',
    updateWalletPrivacy: '{ id: "x", privateEnabled: true }',
    confirmContactVerification: '{ customerId: "x", contact: EMAIL, code: "x" }',
    confirmScaFactor: '{ customerId: "x" }',
    completeScaLogin: '{ customerId: "x", factor: TOTP }',
    createDelegatedKey: '{ cardId: "x", internalAccountId: "x", nickname: "x" }',
  }
  for (const name of ours) {
    const { data: answer, errors } = await run(
      `mutation { tryCredential(input: {}) { __typename } b: ${name}(input: ${inputs[name] ?? '{ id: "x" }'}) { ${FAILURE} } }`,
    )
    expect({ name, errors }).toEqual({ name, errors: undefined })
    expect(answer?.['b']).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('one mutation') })
  }
  expect(calls).toEqual([])
})
