// `npm run sandbox` keeps a world of payments alive over the public API, and the documentation shows how money comes in.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPayer, fundsOf, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform } from '#test/setup/world.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({})
})
afterAll(() => gateway.stop())

it('makes payments of every kind, none of which is refused', async () => {
  const platform = await createPlatform()
  const world = {
    // As it is in the address bar of a browser.
    from: `${gateway.url}/`,
    token: `${platform.clientId}:${platform.secret}`,
    paymentsPerSecond: 24,
    seconds: 1,
    customers: 2,
  }
  const script = `import('./dev/sandbox.ts').then(async ({ live }) => console.log(JSON.stringify(await live(${JSON.stringify(world)}))))`
  const command = spawn(process.execPath, ['--import', 'tsx', '--eval', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [command.stdout, command.stderr])
    stream.setEncoding('utf8').on('data', (more) => (printed += more))
  await once(command, 'close')
  expect(printed).toContain('{"payments":24,"failed":0}')
  for (const name of [
    'approval',
    'cancellation',
    'card purchase',
    'card return',
    'decline',
    'new card',
    'payment by an agent',
    'single message',
    'deposit',
    'payment',
    'pushed payment',
    'transfer in',
    'transfer out',
    'UMA payment',
  ]) {
    expect(printed).toContain(`${name} `)
  }
  const { body } = await send(platform, 'GET', '/transactions?limit=100')
  const kinds = new Set(
    body.data.map(({ type, source }: { type: string; source?: { sourceType: string } }) =>
      source ? `${type} ${source.sourceType}` : type,
    ),
  )
  expect([...kinds].toSorted()).toEqual([
    'CARD',
    'INCOMING ACCOUNT',
    'INCOMING REALTIME_FUNDING',
    'INCOMING UMA_ADDRESS',
    'OUTGOING ACCOUNT',
    'OUTGOING REALTIME_FUNDING',
  ])
  const { body: cards } = await send(platform, 'GET', '/cards?limit=100')
  expect(cards.data.length).toBeGreaterThan(2)
  const { body: agents } = await send(platform, 'GET', '/agents')
  expect(agents.data.map(({ isConnected }: { isConnected: boolean }) => isConnected)).toEqual([true, true])
})

it('advancing the time does not overtake the job runners', async () => {
  const { platform, dollars, outside } = await createPayer()
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: basic(platform), 'content-type': 'application/json' }
    const response = await fetch(`${gateway.url}/2025-10-13${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  for (let round = 0; round < 5; round += 1) {
    const { id } = await call('POST', '/transfer-out', transferInput(dollars, outside, 100))
    expect(await call('POST', '/sandbox/advance-time', { seconds: 5 })).toMatchObject({ remainingSeconds: 0 })
    expect((await call('GET', `/transactions/${id}`)).status).toBe('COMPLETED')
  }
  expect(await fundsOf(platform, dollars)).toEqual([99_500, 99_500])
})

// docs/domain/sandbox.md#sandbox-operations
it('the example of the documentation brings money in and lets time pass', async () => {
  const [document] =
    /mutation Sandbox.*?(?=```)/s.exec(readFileSync(join('docs', 'domain', 'sandbox.md'), 'utf8')) ?? []
  const { platform, dollars } = await createPayer({ balance: 0n })
  const { data, errors } = await ask(platform, document ?? '', { account: dollars })
  expect({ data, errors }).toEqual({
    data: {
      sandboxFundAccount: { account: { balance: { formatted: '$100.00' } } },
      sandboxAdvanceTime: { jobsRun: 0 },
    },
  })
})
