// The REST contract at `/openapi.json` is complete and current. Prism checks that the running gateway conforms to it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { operations, writeContract } from '#contract.ts'
import { API_VERSION } from '#core/api-version.ts'
import { ERROR_STATUS } from '#core/errors.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { numberEvents } from '#events/numbering.ts'
import { createRestApp } from '#rest/app.ts'
import contract from '#rest/openapi.json' with { type: 'json' }
import { routes } from '#routes.ts'
import { newEvmWallet, signAsEvm } from '#test/setup/accounts/wallet-keys.ts'
import { createActing, pullOf, quoteOf, transferOf, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { agentFaces, callRest } from '#test/setup/agents/agent-faces.ts'
import { useEveryCardOperation } from '#test/setup/cards/every-operation.ts'
import { useCorridors } from '#test/setup/corridors/exchanges.ts'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { addOauth, addOtp, addPasskey, bornWith, signedRetry } from '#test/setup/credentials/wallet-sessions.ts'
import { useEveryCustomerOperation } from '#test/setup/customers/every-operation.ts'
import { makeEveryEvent } from '#test/setup/every-event.ts'
import { basic, rest } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createFundedWallet, createPayer, payloadOf, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { unnamed } from '#test/setup/places/rest-routes.ts'
import { closed, fetchThrough, type Prism, startPrism, type Violation, violationsOf } from '#test/setup/prism.ts'
import { useEverySandboxOperation } from '#test/setup/sandbox/every-operation.ts'
import { useDelegatedKeys, useEveryScaOperation } from '#test/setup/sca/every-operation.ts'
import { scaFaces } from '#test/setup/sca/sca-faces.ts'
import { lookUpEverything } from '#test/setup/uma/every-call.ts'
import { createDocument } from '#test/setup/verification/rows.ts'
import { useEveryWebhookOperation } from '#test/setup/webhooks/every-operation.ts'
import { createCard, createCustomer, createExternalAccount, createPlatform, createWallet } from '#test/setup/world.ts'

const SETTINGS = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  END_USER_TERMS_URL: 'https://terms.example/2',
  END_USER_TERMS_VERSION: '2',
}

const BASE = `/${API_VERSION}`

/** Their bodies are files. */
const UPLOADS = ['createDocument', 'replaceDocument', 'sendUpload', 'importCustomers']

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
}

const described: readonly Operation[] = Object.entries(contract.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { operationId: name }]) => ({ name, method: method.toUpperCase(), path })),
)

describe('the contract', () => {
  it('matches what the source generates', () => {
    expect(contract).toEqual(writeContract())
  })

  it('lists every route and no other', () => {
    const mounted = createRestApp(routes, async () => null).routes.filter(
      ({ method, path }) => method !== 'ALL' && path.startsWith(BASE) && path !== `${BASE}/openapi.json`,
    )
    const served = mounted.map(({ method, path }) => unnamed(`${method} ${path.slice(BASE.length)}`))
    expect(served.sort()).toEqual(described.map(({ method, path }) => unnamed(`${method} ${path}`)).sort())
  })

  it('gives each operation a unique operationId', () => {
    expect(new Set(described.map(({ name }) => name)).size).toBe(described.length)
  })

  it('lists the codes of the error table', () => {
    expect(contract.components.schemas.ErrorCode.enum).toEqual(Object.keys(ERROR_STATUS))
  })

  it('describes the data of every type of event', () => {
    expect(Object.keys(contract.components.schemas.WebhookEvent.discriminator.mapping)).toEqual(EVENT_TYPES)
  })

  it('promises the currency of every payment that is pushed', () => {
    expect(contract.components.schemas.RealtimeFundingSource.required).toEqual(['sourceType', 'currency'])
  })

  it.each(['/openapi.json', `${BASE}/openapi.json`])(
    '%s needs no credentials, and answers 304 to a matching ETag',
    async (path) => {
      const ask = (headers = {}) => app.fetch(new Request(`http://test${path}`, { headers }))
      const answer = await ask()
      expect(await answer.json()).toEqual(contract)
      expect((await ask({ 'if-none-match': answer.headers.get('etag') })).status).toBe(304)
    },
  )
})

interface Exchange {
  readonly operation: string | undefined
  readonly status: number
  readonly violations: readonly Violation[]
}

describe('through Prism, over a running gateway', () => {
  let gateway: GatewayProcess
  let prism: Prism
  const exchanges: Exchange[] = []
  const callers = new Set<string>()

  const operationOf = (method: string, pathname: string) => {
    const isAt = (path: string) => new RegExp(`^${path.replaceAll(/{\w+}/g, '[^/]+')}$`).test(pathname)
    const candidates = described.filter((operation) => operation.method === method && isAt(operation.path))
    return (candidates.find(({ path }) => path === pathname) ?? candidates[0])?.name
  }

  beforeAll(async () => {
    gateway = await startGateway(SETTINGS)
    prism = await startPrism(closed(contract), gateway.url + BASE)
    vi.spyOn(app, 'fetch').mockImplementation(async (request) => {
      const { pathname, search } = new URL(request.url)
      const path = pathname.slice(BASE.length)
      const { method, headers } = request
      callers.add(headers.get('authorization') ?? '')
      const body = await request.text()
      // Without this, fetch would add a content type to an empty body.
      const response = await fetchThrough(prism.url + path + search, { method, headers, ...(body && { body }) })
      const violations = violationsOf(response)
      exchanges.push({ operation: operationOf(method, path), status: response.status, violations })
      return response
    })
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await prism.close()
    await gateway.kill()
  })

  const overRest = <F extends { readonly name: string }>(faces: readonly F[]): F => {
    const face = faces.find(({ name }) => name === 'REST')
    if (!face) throw new Error('REST is a face')
    return face
  }

  it('a platform makes payments and reads them', async () => {
    const face = overRest(paymentFaces)
    const { platform, dollars, outside } = await createPayer()
    const { body: quote } = await face.createQuote(platform, quoteInput(dollars, outside))
    await face.executeQuote(platform, quote.id)
    await face.readQuote(platform, quote.id)
    await face.readTransaction(platform, quote.transactionId)
    await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100), { 'idempotency-key': 'once' })
    await face.transferIn(platform, transferInput(outside, dollars, 100))
    const { body: page } = await rest(platform, '/transactions?limit=2&sortOrder=asc&type=OUTGOING')
    await rest(platform, `/transactions?limit=2&sortOrder=asc&type=OUTGOING&cursor=${page['nextCursor']}`)
    const wallet = await createFundedWallet(platform)
    const { body: signed } = await face.createQuote(platform, quoteInput(wallet.accountId, outside))
    await face.executeQuote(platform, signed.id, await wallet.device.stamp(payloadOf(signed)))
    await numberEvents()
    const { body: events } = await rest<{ data: { id: string }[] }>(platform, '/webhooks/events?sortOrder=asc')
    await rest(platform, `/webhooks/events/${events.data[0]?.id}`)
  })

  it('a platform manages its API tokens', async () => {
    const platform = await createPlatform()
    const { body } = await send(platform, 'POST', '/tokens', { name: 'Reporting', permissions: ['VIEW'] })
    await send(platform, 'GET', '/tokens?name=Reporting')
    await send(platform, 'GET', `/tokens/${body.id}`)
    await callRest(basic(platform), 'DELETE', `/tokens/${body.id}`)
  })

  it('a platform looks up receivers', lookUpEverything)

  it('a platform sets its endpoint, and events are sent there', useEveryWebhookOperation)

  it('a wallet registers credentials and opens sessions of every type', async () => {
    const face = overRest(credentialFaces)
    const platform = await createPlatform()
    const wallet = await createWallet(platform, { phoneNumber: '+14155550123' })
    const session = await bornWith(face, wallet).open()
    const others = [
      await addPasskey(face, wallet, session),
      await addOauth(face, wallet, session),
      await addOtp(face, wallet, session, 'SMS_OTP'),
    ]
    for (const other of others) await other.open()
    await face.listCredentials(platform, wallet.accountId)
    await face.listSessions(platform, wallet.accountId)
    const input = { clientPublicKey: newKey().publicKey }
    await signedRetry(session.key, (proof) => face.refresh(platform, session.id, input, proof))
    await signedRetry(session.key, (proof) => face.exportWallet(platform, wallet.accountId, input, proof))
    const privacy = { privateEnabled: true }
    await signedRetry(session.key, (proof) => face.updatePrivacy(platform, wallet.accountId, privacy, proof))
    const contact = { email: 'new@mail.example' }
    await signedRetry(session.key, (proof) => face.updateCustomer(platform, wallet.customerId, contact, proof))
    await signedRetry(session.key, (proof) => face.revoke(platform, others[0]?.id ?? '', proof))
    await signedRetry(session.key, (proof) => face.revokeSession(platform, session.id, proof))
  })

  it('platforms manage their customers', useEveryCustomerOperation)

  it('customers in an SCA region verify contacts, have factors, log in and authorize payments', () =>
    useEveryScaOperation(overRest(scaFaces)))

  it('a wallet lets a card pull money', useDelegatedKeys)
  it('a card is ordered, changed and used', useEveryCardOperation)
  it('a sandbox platform brings money in, and cancels and confirms a payment', useEverySandboxOperation)

  it('platforms manage their agents', async () => {
    const face = overRest(agentFaces)
    const { platform, customerId } = await createPayer()
    const policy = {
      permissions: ['VIEW_TRANSACTIONS'],
      defaultExecutionMode: 'AUTO',
      spendingLimits: { currency: 'USD', perTransactionLimit: 100 },
    }
    const { body } = await face.create(platform, { name: 'Buyer', customerId, policy })
    await face.issueCode(platform, body.agent.id)
    const { body: code } = await face.issueCode(platform, body.agent.id)
    await face.statusOfCode(platform, code.code)
    await face.redeem(code.code)
    await face.read(platform, body.agent.id)
    await face.list(platform, { isConnected: true, createdAfter: '2025-01-01T00:00:00Z' })
    await face.update(platform, body.agent.id, { isPaused: true })
    await face.updatePolicy(platform, body.agent.id, { approvalThresholds: { currency: 'USD', amount: 10 } })
    await face.remove(platform, body.agent.id)
  })

  it('agents read and act, and the platform decides', async () => {
    const face = overRest(actionFaces)
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { agent, owner, agentId, dollarsId } = acting
    const { body: quote } = await face.createQuote(agent, quoteOf(acting, 100))
    await callRest(agent, 'GET', `/agents/me/quotes/${quote.id}`)
    const { body: first } = await face.execute(agent, quote.id)
    const { body: second } = await face.transferOut(agent, transferOf(acting, 100))
    const { body: third } = await face.transferIn(agent, pullOf(acting, 100))
    const { body: fourth } = await face.transferOut(agent, transferOf(acting, 100))
    await face.readAction(agent, first.id)
    await face.approvals(owner, { agentId })
    await callRest(owner, 'GET', `/agents/${agentId}/actions?status=PENDING_APPROVAL&type=TRANSFER_OUT`)
    await callRest(owner, 'GET', `/agents/${agentId}/actions?statuses=APPROVED&statuses=FAILED&types=TRANSFER_IN`)
    await face.approve(owner, agentId, first.id)
    await face.reject(owner, agentId, second.id, { reason: 'Too expensive' })
    await face.approveTransaction(owner, third.transaction.id)
    await face.rejectTransaction(owner, fourth.transaction.id)
    const { body: added } = await callRest(agent, 'POST', '/agents/me/external-accounts', {
      currency: 'USDC',
      accountInfo: { accountType: 'BASE_WALLET', address: newEvmWallet().address },
    })
    const { body: asked } = await callRest(agent, 'DELETE', `/agents/me/external-accounts/${dollarsId}`)
    await face.reject(owner, agentId, asked.id)
    await agentFaces[1]?.updatePolicy(acting.platform, agentId, { defaultExecutionMode: 'AUTO' })
    expect((await callRest(agent, 'DELETE', `/agents/me/external-accounts/${added.id}`)).status).toBe(204)
    const seen = ['', '/actions?status=APPROVED', '/transactions', '/internal-accounts', '/external-accounts']
    for (const path of [...seen, `/transactions/${quote.transactionId}`, `/external-accounts/${dollarsId}`]) {
      await callRest(agent, 'GET', `/agents/me${path}`)
    }
  })

  it('platforms read their data', async () => {
    const { platform, customerId, dollars } = await createPayer()
    const [customer, account] = [customerId, dollars].map(uuidOf)
    const card = await createCard(platform, { customerId: customer ?? '', accountId: account ?? '' })
    const outside = await createExternalAccount(platform)
    const theirs = await createExternalAccount(platform, { customerId: customer ?? '' })
    const paths = [
      '/customers?customerType=INDIVIDUAL&isIncludingDeleted=true&createdAfter=2025-01-01&limit=1',
      `/customers/${customerId}`,
      `/customers/internal-accounts?customerId=${customerId}&type=INTERNAL_FIAT`,
      '/customers/external-accounts?currency=USD',
      `/customers/external-accounts/ExternalAccount:${theirs.id}`,
      '/platform/internal-accounts?currency=USD',
      '/platform/external-accounts',
      `/platform/external-accounts/ExternalAccount:${outside.id}`,
      `/cards?cardholderId=${customerId}&state=ACTIVE`,
      `/cards/Card:${card.id}`,
    ]
    for (const path of paths)
      expect({ path, status: (await rest(platform, path)).status }).toEqual({ path, status: 200 })
  })

  it('a platform follows an import of customers', async () => {
    const platform = await createPlatform()
    const query = 'mutation { importCustomers(input: { csv: "a" }) { ... on ImportCustomersSuccess { job { id } } } }'
    const headers = { authorization: basic(platform), 'content-type': 'application/json' }
    const answer = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    const { data } = (await answer.json()) as { data: { importCustomers: { job: { id: string } } } }
    await rest(platform, `/customers/bulk/jobs/${data.importCustomers.job.id}`)
  })

  it('a business is verified', async () => {
    const platform = await createPlatform()
    const { id } = await createCustomer(platform, { customerType: 'BUSINESS', verificationStatus: 'UNVERIFIED' })
    const customerId = `Customer:${id}`
    await send(platform, 'POST', `/customers/${customerId}/kyc-link`, { redirectUri: 'https://platform.example' })
    const { example } = operations['/beneficial-owners']?.post?.requestBody?.content['application/json'] ?? {}
    const owner = { ...(example as object), customerId }
    const { body: created } = await send(platform, 'POST', '/beneficial-owners', owner)
    await send(platform, 'PATCH', `/beneficial-owners/${created.id}`, { ownershipPercentage: 10 })
    await rest(platform, `/beneficial-owners?customerId=${customerId}`)
    await rest(platform, `/beneficial-owners/${created.id}`)
    const document = await createDocument(platform, { customerId: id })
    await rest(platform, `/documents?documentHolder=${customerId}`)
    await rest(platform, `/documents/Document:${document.id}`)
    await callRest(basic(platform), 'DELETE', `/documents/Document:${document.id}`)
    const { body: verification } = await send(platform, 'POST', '/verifications', { customerId })
    await rest(platform, `/verifications?customerId=${customerId}`)
    await rest(platform, `/verifications/${verification.id}`)
  })

  it('a platform adds accounts outside, proves a wallet and deletes them', async () => {
    const { platform, customerId } = await createPayer()
    const { privateKey, address } = newEvmWallet()
    for (const [path, owner] of [['/customers', { customerId }] as const, ['/platform', {}] as const]) {
      const accountInfo = { accountType: 'BASE_WALLET', address }
      const input = { ...owner, currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo }
      const { body: account } = await callRest(basic(platform), 'POST', `${path}/external-accounts`, input)
      const place = `${path}/external-accounts/${account.id}`
      const method = 'WALLET_SIGNATURE'
      const { body: challenge } = await callRest(basic(platform), 'POST', `${place}/challenge`, { method })
      const signature = signAsEvm(privateKey, challenge.messageToSign)
      const { body: proven } = await callRest(basic(platform), 'POST', `${place}/verify`, { signature })
      expect(proven.status).toBe('ACTIVE')
      await callRest(basic(platform), 'DELETE', place)
    }
  })

  it('a platform reads rates and banks, invites, mints and burns', useCorridors)
  it('failures have their status and body', async () => {
    const payer = await createPayer()
    const viewer = await createPlatform(['VIEW'])
    const owner = basic(payer.platform)
    const unknown = 'Transaction:00000000-0000-7000-8000-000000000000'
    const quote = quoteInput(payer.dollars, payer.outside)
    const { body } = await callRest(owner, 'POST', '/quotes', quote)
    await callRest(owner, 'POST', `/quotes/${body.id}/execute`)
    const answers = [
      await callRest(owner, 'GET', '/transactions?limit=0'),
      await callRest(owner, 'POST', '/quotes', { ...quote, lockedCurrencyAmount: 'much' }),
      await callRest(null, 'GET', '/transactions'),
      await callRest(owner, 'GET', '/agents/me'),
      await callRest(basic(viewer), 'POST', '/quotes', quote),
      await callRest(owner, 'GET', `/transactions/${unknown}`),
      await callRest(owner, 'DELETE', '/transactions'),
      await callRest(owner, 'POST', `/quotes/${body.id}/execute`),
      await send(payer.platform, 'POST', '/quotes', 'amount=1', { 'content-type': 'text/plain' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 401, 401, 403, 404, 405, 409, 415])
  })

  it('all events of these platforms are read, and there is one of every type', async () => {
    const platform = await createPlatform()
    await makeEveryEvent(platform)
    await numberEvents()
    const types = new Set<string>()
    for (const caller of new Set([basic(platform), ...callers]))
      for (let next = ''; next !== undefined && caller.startsWith('Basic'); ) {
        const { body } = await callRest(caller, 'GET', `/webhooks/events?limit=100${next && `&cursor=${next}`}`)
        for (const { type } of body.data ?? []) types.add(type)
        next = body.nextCursor
      }
    expect([...types].sort()).toEqual([...EVENT_TYPES].sort())
  })

  it('every operation succeeded at least once, and no exchange violated the contract', () => {
    const succeeded = new Set(exchanges.filter(({ status }) => status < 300).map(({ operation }) => operation))
    // Prism passes on no response that has not ended, and no files.
    const ending = described.map(({ name }) => name).filter((name) => !['streamEvents', ...UPLOADS].includes(name))
    expect(ending.filter((name) => !succeeded.has(name))).toEqual([])
    console.log(`Prism: ${exchanges.length} exchanges`)
    expect(exchanges.filter(({ violations }) => violations.length > 0)).toEqual([])
  })
})
