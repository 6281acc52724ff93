// Numbers events and sends webhooks while the tests of a file run.
import { afterAll, beforeAll } from 'vitest'
import type { Repeated } from '#database/repeated.ts'
import { startNumbering } from '#events/numbering.ts'
import { type Sending, startSending } from '#webhooks/sending/sender.ts'

/** Call it at the top of a test file that has a process of its own: everything that is due in the database is sent. */
export const useSending = () => {
  let numbering: Repeated
  let sending: Sending
  beforeAll(() => {
    sending = startSending()
    numbering = startNumbering(sending.wake)
  })
  afterAll(async () => {
    await sending.stop()
    await numbering.stop()
  })
}
