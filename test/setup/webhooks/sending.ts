// Numbers events and sends webhooks while the tests of a file run.
import { afterAll, beforeAll } from 'vitest'
import { db } from '#database/db.ts'
import type { Repeated } from '#database/repeated.ts'
import { startNumbering } from '#events/numbering.ts'
import { useSettings } from '#test/setup/settings.ts'
import { startSending } from '#webhooks/sending/sender.ts'

/** Call it at the top of a test file. Receivers may be on this machine. */
export const useSending = () => {
  useSettings({ webhookAllowPrivate: true })
  let numbering: Repeated
  let sending: Repeated
  beforeAll(async () => {
    // Everything that is due in the database is sent, and the receivers of earlier files are gone.
    await db.$executeRaw`delete from webhook_endpoints`
    sending = startSending()
    numbering = startNumbering(sending.wake)
  })
  afterAll(async () => {
    await sending.stop()
    await numbering.stop()
  })
}
