// A supervisor may stop a gateway that has only just begun to serve.
import { expect, it, onTestFinished, vi } from 'vitest'
import { db } from '#database/db.ts'
import { startGateway } from '#test/setup/gateway-process.ts'
import { pause } from '#test/setup/raw-http.ts'

it.each([
  ['it records its master key', 'master_key_mark in share mode', ['serving', 'stopping', 'stopped']],
  ['its jobs are being started', 'graphile_worker._private_tasks', ['serving', 'migrated', 'stopping', 'stopped']],
])('SIGTERM while %s stops a gateway without a failure', async (_when, locked, expected) => {
  const [gateway, [exited]] = await db.$transaction(
    async (tx) => {
      // On a slow machine the gateway starts longer than a transaction may be idle.
      await tx.$executeRaw`set local idle_in_transaction_session_timeout = 0`
      await tx.$executeRawUnsafe(`lock table ${locked}`)
      const gateway = await startGateway()
      onTestFinished(() => gateway.kill())
      const waiting = () => db.$queryRaw<object[]>`
        select from pg_stat_activity where split_part(application_name, ' - ', 1) = ${gateway.name} and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 20_000 })
      const exited = gateway.stop()
      await vi.waitFor(() => expect(gateway.log()).toContain('"stopping"'))
      // Until it has closed what it does not use.
      await pause(300)
      return [gateway, [exited]] as const
    },
    { timeout: 30_000 },
  )
  expect(await exited).toBe(0)
  const lines = gateway.log().trimEnd().split('\n')
  const events = lines.map((line) => JSON.parse(line).event)
  expect(events).toEqual(expected)
})
