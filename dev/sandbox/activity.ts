// What customers of the sandbox can do, and what several activities need.
import { randomInt } from 'node:crypto'
import type { Call } from './client.ts'
import type { Resident } from './resident.ts'

export interface Activity {
  readonly name: string
  /** How often it happens, compared with the others. */
  readonly weight: number
  readonly act: (call: Call, resident: Resident) => Promise<void>
  /** Whether this resident can do it. By default all residents can. */
  readonly isFor?: (resident: Resident) => boolean
}

export const amount = () => randomInt(100, 20_000)

/** Keeps the account from running dry. */
export const topUp = async (call: Call, { account }: Resident) => {
  await call('POST', `/sandbox/internal-accounts/${account}/fund`, { amount: randomInt(20_000, 100_000) })
}

const isShort = (error: unknown) => error instanceof Error && error.message.includes('INSUFFICIENT_BALANCE')

/** Tries once more with new money. */
export const withMoney = async (call: Call, resident: Resident, pay: () => Promise<unknown>) => {
  try {
    await pay()
  } catch (error) {
    if (!isShort(error)) throw error
    await topUp(call, resident)
    await pay()
  }
}
