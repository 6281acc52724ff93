// The examples take a platform without any data to a completed payment (examples/first-payment/).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform } from '#platforms/provisioning.ts'
import { ask, rest } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({})
})
afterAll(() => gateway.stop())

const run = async (script: string, ...parameters: string[]) => {
  const child = spawn('node', [`examples/first-payment/${script}`, `${gateway.url}/`, ...parameters])
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  const [status] = await once(child, 'close')
  return { status, printed }
}

it.each(['rest.mjs', 'graphql.mjs'])('%s', async (script) => {
  const platform = await createPlatform({ name: 'Acme', environment: 'SANDBOX' })
  const credentials = { clientId: platform.clientId, secret: platform.secret }
  expect((await rest(credentials, '/transactions')).body).toMatchObject({ data: [] })
  const { status, printed } = await run(script, platform.clientId, platform.secret)
  expect({ status, printed }).toEqual({ status: 0, printed: expect.stringContaining('COMPLETED') })
  const { data } = await ask(
    credentials,
    '{ transactions(first: 5) { nodes { __typename status } } customers(first: 5) { nodes { verificationStatus } } }',
  )
  expect(data).toEqual({
    transactions: {
      nodes: [
        { __typename: 'OutgoingTransaction', status: 'COMPLETED' },
        { __typename: 'IncomingTransaction', status: 'COMPLETED' },
      ],
    },
    customers: { nodes: [{ verificationStatus: 'APPROVED' }] },
  })
})
