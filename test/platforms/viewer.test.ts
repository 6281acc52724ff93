// Who is calling, as the caller sees it: the platform, what its API token may do, or the agent.
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { createActing } from '#test/setup/agents/acting-agents.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { ask } from '#test/setup/faces.ts'
import { createPlatform } from '#test/setup/world.ts'

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
