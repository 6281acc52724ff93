// `npm run wallet`: the wallet owner's walkthrough, against a gateway with demo data.
// Own process: seeds the demo.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { seedDemo } from '../../dev/demo.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let gateway: GatewayProcess
beforeAll(async () => {
  await seedDemo(process.env['DATABASE_DIRECT_URL'] ?? '')
  gateway = await startGateway({ LOG_LEVEL: 'error' })
})
afterAll(() => gateway.kill())

const walk = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'dev/wallet.ts', ...args], { cwd: root, encoding: 'utf8' })

it('completes every step, each time on another wallet, and leaves only a session', async () => {
  const credentials = () => db.authMethod.count({ where: { revokedAt: null } })
  const before = await credentials()
  for (let i = 0; i < 2; i++) {
    const { status, stdout, stderr } = walk(`${gateway.url}/`)
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
    const calls = (step: string) => [`${step}, first call`, `${step}, second call`]
    expect([...stdout.matchAll(/^── (.+)$/gm)].map(([, step]) => step)).toEqual([
      'Find a wallet',
      'Ask for a code by email',
      ...calls('Verify the code'),
      'List the sessions',
      ...calls('Add the phone'),
      ...calls('Remove the phone'),
      ...calls('Refresh the session'),
      ...calls('End the first session'),
      'List the sessions',
    ])
  }
  expect(await credentials()).toBe(before)
  const left = await db.walletSession.findMany({ where: { revokedAt: null } })
  expect(new Set(left.map(({ accountId }) => accountId)).size).toBe(2)
  expect(left).toHaveLength(2)
})

it('reports in one line what is wrong', async () => {
  const nobody = walk('http://localhost:1')
  expect(nobody).toMatchObject({
    status: 1,
    stderr: 'There is no gateway at http://localhost:1. Start one with npm start.\n',
  })
  const stranger = walk(gateway.url, 'demo:wrong')
  expect(stranger).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^The request failed: .*UNAUTHORIZED.*\n$/),
  })
})
