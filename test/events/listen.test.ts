// `npm run listen` sends the events of a platform to a local address, as webhooks (README.md, "Follow events").
import { spawn } from 'node:child_process'
import { createHmac, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { numberEvents } from '#events/numbering.ts'
import { startGateway } from '#test/setup/gateway-process.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform, createTransactions, incoming } from '#test/setup/world.ts'

it('posts each event once, even after the gateway was restarted, signed with the keys that it prints', async () => {
  const platform = await createPlatform()
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const first = await startGateway()
  const given = {
    to: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`,
    from: first.url,
    token: `${platform.clientId}:${platform.secret}`,
  }
  const script = `import('./dev/listen.ts').then(({ listen }) => listen(${JSON.stringify(given)}))`
  const command = spawn(process.execPath, ['--import', 'tsx', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  command.stdout.setEncoding('utf8').on('data', (more) => (printed += more))
  const until = async (isSo: () => boolean) => {
    for (let turn = 0; turn < 1_000 && !isSo(); turn++) await wait(20)
  }
  const happen = async () => {
    await createTransactions(platform, [incoming({ status: 'PENDING' })])
    await numberEvents()
  }
  try {
    await until(() => printed.includes('Listening'))
    await happen()
    await until(() => received.length === 1)
    const port = new URL(first.url).port
    await first.stop()
    await happen()
    const second = await startGateway({ PORT: port })
    await until(() => received.length === 2)
    await second.kill()
  } finally {
    command.kill()
    receiver.close()
  }
  const { body: history } = await send(platform, 'GET', '/webhooks/events?sortOrder=asc')
  expect(received.map(({ body }) => JSON.parse(body))).toEqual(
    history.data.map(({ cursor: _, ...envelope }: { cursor: string }) => envelope),
  )
  expect(received).toHaveLength(2)
  const key = /-----BEGIN.*?KEY-----\n$/ms.exec(printed)?.[0] ?? ''
  const secret = Buffer.from(/whsec_(\S+)/.exec(printed)?.[1] ?? '', 'base64')
  for (const { headers, body } of received) {
    const { s } = JSON.parse(String(headers['x-service-signature']))
    expect(verify('sha256', Buffer.from(body), key, Buffer.from(s, 'base64'))).toBe(true)
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
    expect(headers['webhook-id']).toBe(JSON.parse(body).id)
  }
})
