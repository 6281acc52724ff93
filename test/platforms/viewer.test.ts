// Who is calling, as the caller sees it: the platform, what its API token may do, or the agent.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { createActing } from '#test/setup/agents/acting-agents.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { ask, basic } from '#test/setup/faces.ts'
import { createInternalAccount, createPlatform, createToken } from '#test/setup/world.ts'

const VIEWER = `{ viewer {
  scheme subject permissions
  platform { id name environment }
  agent { id name policy { permissions } }
} }`

it.each([[['VIEW']], [['VIEW', 'MANAGE']], [['TRANSACT']]] as const)(
  'a platform reads its name and what its token may do: %s',
  async (permissions) => {
    const platform = await createPlatform([...permissions])
    const { name } = await db.platform.findUniqueOrThrow({ where: { id: platform.id } })
    const { data } = await ask<object, never>(platform, VIEWER)
    expect(data).toEqual({
      viewer: {
        scheme: 'PLATFORM',
        subject: expect.stringMatching(/^Token:/),
        permissions,
        platform: { id: publicId('PlatformConfig', platform.id), name, environment: 'SANDBOX' },
        agent: null,
      },
    })
  },
)

it('an agent reads itself, and the platform that it belongs to', async () => {
  const { platform, agent, agentId } = await createActing({ permissions: ['CREATE_QUOTES'] })
  const { body } = await callGraphQL(agent, VIEWER)
  expect(body).toEqual({
    data: {
      viewer: {
        scheme: 'AGENT',
        subject: agentId,
        permissions: null,
        platform: { id: publicId('PlatformConfig', platform.id), name: 'Test', environment: 'SANDBOX' },
        agent: { id: agentId, name: 'Agent', policy: { permissions: ['CREATE_QUOTES'] } },
      },
    },
  })
})

it('a platform reads the name of the token that it uses, if the token may view, and an agent has none', async () => {
  const text = '{ viewer { scheme apiToken { id name permissions clientId } } }'
  const platform = await createPlatform(['VIEW', 'TRANSACT'])
  const other = { id: platform.id, clientId: randomUUID(), secret: 'secret' }
  await createToken(platform.id, other, ['TRANSACT'])
  const { id, name } = await db.apiToken.findFirstOrThrow({ where: { clientId: platform.clientId } })
  const apiToken = { id: publicId('Token', id), name, permissions: ['VIEW', 'TRANSACT'], clientId: platform.clientId }
  expect((await callGraphQL(basic(platform), text)).body).toEqual({
    data: { viewer: { scheme: 'PLATFORM', apiToken } },
  })
  const { body } = await callGraphQL(basic(other), text)
  expect(body).toMatchObject({ data: { viewer: { apiToken: null } }, errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  const { agent } = await createActing()
  expect((await callGraphQL(agent, text)).body).toEqual({ data: { viewer: { scheme: 'AGENT', apiToken: null } } })
})

it('the id that the rows of a platform carry in place of a customer finds the platform, for itself only', async () => {
  const platform = await createPlatform(['VIEW'])
  await createInternalAccount(platform, { customerId: null })
  const id = publicId('PlatformConfig', platform.id)
  const { name } = await db.platform.findUniqueOrThrow({ where: { id: platform.id } })
  const text = `query ($id: ID!) {
    internalAccounts { nodes { ownerId } }
    node(id: $id) { __typename id ... on PlatformConfig { name environment } }
    nodes(ids: [$id]) { id }
    viewer { platformConfig { id name environment supportedCurrencies { currencyCode } feeConfigs { feeType } webhookEndpoint { url } } }
    platformConfig { id embeddedWalletConfig { sendFromEmailSenderName } }
  }`
  const self = { id, name, environment: 'SANDBOX' }
  const { body } = await callGraphQL(basic(platform), text, { id })
  expect(body).toMatchObject({
    data: {
      internalAccounts: { nodes: [{ ownerId: id }] },
      node: { __typename: 'PlatformConfig', ...self },
      nodes: [{ id }],
      viewer: { platformConfig: { ...self, supportedCurrencies: [], feeConfigs: [], webhookEndpoint: null } },
      platformConfig: { id, embeddedWalletConfig: { sendFromEmailSenderName: expect.any(String) } },
    },
  })
  const NODE = 'query ($id: ID!) { node(id: $id) { id } }'
  const { body: foreign } = await callGraphQL(basic(await createPlatform()), NODE, { id })
  expect(foreign).toEqual({ data: { node: null } })
  const { platform: owner, agent } = await createActing()
  const { body: refused } = await callGraphQL(agent, NODE, { id: publicId('PlatformConfig', owner.id) })
  expect(refused.errors[0].extensions.code).toBe('FORBIDDEN')
})
