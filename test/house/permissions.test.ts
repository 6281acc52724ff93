// Operation by permission, over both faces: without its permission an operation is 403 and changes nothing, and with it alone it is not
// 403. The operations come from the routes and the schema.
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { API_PERMISSIONS, type ApiPermission } from '#core/caller.ts'
import { type Authorization, callGraphQL, type Reply } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { type Crawled, createCrawled } from '#test/setup/places/crawled-platforms.ts'
import { kindAt } from '#test/setup/places/kinds.ts'
import { NODES } from '#test/setup/places/mirrored-platforms.ts'
import { type Asker, callerOf } from '#test/setup/places/places.ts'
import { OTHERS, PUBLIC, restOperations } from '#test/setup/places/rest-places.ts'
import { mutations, queries, questionOf, subscriptions } from '#test/setup/places/schema-queries.ts'
import { rowsOf } from '#test/setup/places/stored-rows.ts'
import { useGraphQLLimits } from '#test/setup/settings.ts'
import { createToken } from '#test/setup/world.ts'

useGraphQLLimits({ nodesPerMinute: 1_000_000_000 })

/** The permission that a write over REST needs, or any of several, by its route (docs/domain/api-credentials.md#permissions). */
const WRITES: readonly [route: RegExp, needed: readonly ApiPermission[]][] = [
  [/ \/agents\/:id\/actions\//, ['TRANSACT']],
  [/ \/(customers|platform)\/external-accounts\b/, ['TRANSACT', 'MANAGE']],
  [/ \/(quotes|transfer-in|transfer-out|transactions|auth|internal-accounts)\b/, ['TRANSACT']],
  [/ \/sandbox\/(send|uma|internal-accounts|advance-time)\b/, ['TRANSACT']],
  [/ \/(config|tokens|customers|agents|webhooks|sandbox\/webhooks)\b/, ['MANAGE']],
  [/ \/(cards|sandbox\/cards)\b/, ['MANAGE']],
  [/ \/crypto\b/, ['VIEW']],
  [/ \/invitations\b/, ['MANAGE']],
  [/ \/(stablecoins|stablecoin-provider-accounts)$/, ['MANAGE']],
  [/ \/stablecoin/, ['TRANSACT']],
  [/ \/(sca|documents|verifications|beneficial-owners)\b/, ['MANAGE']],
]

/** Those of each mutation. A new mutation needs a place here. */
const MUTATIONS: Readonly<Record<string, string>> = {
  VIEW: 'lookUpUmaAddress lookUpExternalAccount',
  TRANSACT: `createQuote executeQuote authorizeQuote resendQuoteCode transferOut transferIn approveTransaction rejectTransaction cancelTransaction confirmTransaction
    sandboxSend sandboxReceiveUma sandboxFundAccount sandboxAdvanceTime
    approveAgentAction rejectAgentAction registerCredential challengeCredential verifyCredential revokeCredential refreshSession
    revokeSession exportWallet updateWalletPrivacy createDelegatedKey revokeDelegatedKey createMintQuote createBurnQuote
    executeStablecoinQuote`,
  MANAGE: `updatePlatformConfig createApiToken deleteApiToken setWebhookEndpoint rotateWebhookKey redeliverEvent redeliverEvents
    skipEvent sendTestEvent createCustomer importCustomers updateCustomer deleteCustomer createAgent updateAgent updateAgentPolicy deleteAgent
    createAgentDeviceCode createKycLink submitVerification createBeneficialOwner updateBeneficialOwner createDocument
    createDocumentUpload replaceDocument deleteDocument startContactVerification confirmContactVerification enrollScaFactor
    confirmScaFactor removeScaFactor startScaLogin completeScaLogin recordScaEvent startScaFactorReset completeScaFactorReset
    createCard updateCard revealCard simulateCardAuthorization simulateBalanceInquiry simulateCardAuthorizationAdvice
    simulateCardClearing simulateCardReturn simulateCardReturnReversal
    createInvitation claimInvitation cancelInvitation createStablecoinProviderAccount registerStablecoin`,
  'TRANSACT MANAGE': `createExternalAccount deleteExternalAccount createOwnershipChallenge verifyOwnership trustExternalAccount confirmExternalAccountTrust untrustExternalAccount confirmExternalAccountUntrust`,
  /** An API token always gets 403 for these operations, or never does. */
  NONE: `agentExecuteQuote agentTransferIn agentTransferOut agentCreateExternalAccount agentDeleteExternalAccount
    redeemAgentDeviceCode`,
}

/** Queries that need no permission, or for `node` are asked by kind. */
const OPEN = [
  'viewer',
  'apiInfo',
  'errorCatalog',
  'inputConstraints',
  'queryCost',
  'accountRequirements',
  'sandboxScenarios',
  'node',
  'nodes',
]

const idAt =
  (by: Asker, field: string) =>
  (path: readonly string[]): string => {
    return by.own(kindAt(field, path) ?? 'Customer')
  }

interface Operation {
  readonly name: string
  /** Any of them is enough. */
  readonly needed: readonly ApiPermission[]
  readonly ask: (by: Asker) => Promise<Reply>
}

const words = (text: string) => text.trim().split(/\s+/)

const neededBy = (route: string): readonly ApiPermission[] => {
  if (route.startsWith('GET ')) return ['VIEW']
  const [, needed] = WRITES.find(([pattern]) => pattern.test(route)) ?? []
  if (!needed) throw new Error(`Nothing says which permission ${route} needs`)
  return needed
}

const overRest = (): Operation[] =>
  restOperations()
    .filter(({ name, callers }) => callers.includes('platform') && !PUBLIC.test(name))
    .map(({ name, ask }) => ({ name, needed: neededBy(name), ask }))

const overGraphQL = (): Operation[] => [
  ...queries()
    .filter(({ name }) => !OPEN.includes(name))
    .map((field) => ({
      name: `Query.${field.name}`,
      needed: ['VIEW'] as const,
      ask: (by: Asker) => {
        const { query, variables } = questionOf('query', field, '{ __typename }', null, null, idAt(by, field.name))
        return callGraphQL(by.authorization, query, variables)
      },
    })),
  ...NODES.map((kind) => ({
    name: `Query.node of ${kind}`,
    needed: ['VIEW'] as const,
    ask: (by: Asker) =>
      callGraphQL(by.authorization, 'query ($id: ID!) { answer: node(id: $id) { id } }', { id: by.own(kind) }),
  })),
  ...Object.entries(MUTATIONS)
    .filter(([needed]) => needed !== 'NONE')
    .flatMap(([needed, names]) => words(names).map((name) => ({ name, needed: words(needed) as ApiPermission[] })))
    .map(({ name, needed }) => ({
      name: `Mutation.${name}`,
      needed,
      ask: (by: Asker) => {
        const field = mutations().find((one) => one.name === name)
        if (!field) throw new Error(`There is no mutation ${name}`)
        const selection = '{ __typename ... on ApiError { status code message } }'
        const { query, variables } = questionOf('mutation', field, selection, null, null, idAt(by, name))
        return callGraphQL(by.authorization, query, variables, by.address())
      },
    })),
]

/** Answers that do not end. Only their beginning is read. */
const endless: readonly { name: string; ask: (authorization: Authorization) => Promise<Response> }[] = [
  ...subscriptions().map((field) => ({
    name: `Subscription.${field.name}`,
    ask: (authorization: Authorization) => {
      const body = JSON.stringify({ query: `subscription { ${field.name} { __typename } }` })
      const headers = {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: authorization ?? '',
      }
      return app.fetch(new Request('http://test/graphql', { method: 'POST', headers, body }))
    },
  })),
  {
    name: 'GET /webhooks/events/stream',
    ask: async (authorization) =>
      app.fetch(
        new Request('http://test/2025-10-13/webhooks/events/stream', {
          headers: { authorization: authorization ?? '' },
        }),
      ),
  },
]

const beginningOf = async (response: Response) => {
  const reader = response.body?.getReader()
  let text = ''
  while (reader && text.trim() === '') {
    const { done, value } = await reader.read()
    if (done) break
    text += Buffer.from(value).toString()
  }
  await reader?.cancel()
  return text
}

/** The refusal in an answer of either face, as `status code`. Null if it is none. */
const refusalIn = ({ status, body }: Reply): string | null => {
  const failed = body?.errors?.[0]?.extensions ?? body?.data?.answer ?? (status >= 400 ? body : null)
  return failed?.code ? `${failed.status} ${failed.code}` : null
}

let world: Crawled
let operations: readonly Operation[]
const headers = new Map<string, Authorization>()

/** A token with exactly these permissions. */
const tokenWith = (permissions: readonly ApiPermission[]) => headers.get(permissions.join()) ?? null
const allBut = (needed: readonly ApiPermission[]) =>
  API_PERMISSIONS.filter((permission) => !needed.includes(permission))

beforeAll(async () => {
  world = await createCrawled('permitted')
  operations = [...overRest(), ...overGraphQL()]
  for (const needed of API_PERMISSIONS) {
    for (const permissions of [[needed], allBut([needed])]) {
      const token = { clientId: randomBytes(16).toString('hex'), secret: randomBytes(18).toString('hex') }
      await createToken(world.platform.id, token, permissions)
      headers.set(permissions.join(), basic(token))
    }
  }
}, 300_000)

/** How each operation is refused to tokens with these permissions. */
const refusals = async (permissionsOf: (needed: readonly ApiPermission[]) => readonly (readonly ApiPermission[])[]) => {
  const found: { readonly name: string; readonly token: string; readonly refusal: string | null }[] = []
  for (const [index, { name, needed, ask }] of operations.entries()) {
    const by = callerOf(world, 'platform', index % world.agents.length)
    for (const permissions of permissionsOf(needed)) {
      const refusal = refusalIn(await ask({ ...by, authorization: tokenWith(permissions) }))
      found.push({ name, token: permissions.join(), refusal })
    }
  }
  return found
}

describe('every operation of both faces', () => {
  it('has its place in the table', () => {
    const known = words(Object.values(MUTATIONS).join(' '))
    expect(known.toSorted()).toEqual(
      mutations()
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(OPEN.filter((name) => !queries().some((field) => field.name === name))).toEqual([])
    expect(OTHERS.test(endless.at(-1)?.name ?? '')).toBe(true)
  })

  it('is 403 for a token with every permission except its own, and nothing has changed', {
    timeout: 300_000,
  }, async () => {
    const before = await rowsOf(world.platform)
    const found = await refusals((needed) => [allBut(needed)])
    const admitted = found.filter(({ refusal }) => refusal !== '403 FORBIDDEN')
    console.log(`${found.length} operations without their permission, admitted ${admitted.length}`)
    expect(admitted).toEqual([])
    expect(await rowsOf(world.platform)).toEqual(before)
  })

  it('is not 403 for a token that has only its permission', { timeout: 300_000 }, async () => {
    const found = await refusals((needed) => needed.map((permission) => [permission]))
    const refused = found.filter(({ refusal }) => refusal?.startsWith('403'))
    const carriedOut = found.filter(({ refusal }) => refusal === null)
    console.log(
      `${found.length} operations with their permission alone, refused ${refused.length}, done ${carriedOut.length}`,
    )
    expect(refused).toEqual([])
  })
})

it.each(endless)('$name needs VIEW', async ({ ask }) => {
  expect(await beginningOf(await ask(tokenWith(allBut(['VIEW']))))).toContain('"FORBIDDEN"')
  const response = await ask(tokenWith(['VIEW']))
  expect(response.status).toBe(200)
  expect(await beginningOf(response)).not.toContain('FORBIDDEN')
})

it.each(API_PERMISSIONS)('a token with %s alone may ask who it is', async (permission) => {
  const { body } = await callGraphQL(tokenWith([permission]), '{ viewer { scheme permissions } }')
  expect(body).toEqual({ data: { viewer: { scheme: 'PLATFORM', permissions: [permission] } } })
})
