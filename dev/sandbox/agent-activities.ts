// What agents of the sandbox's customers do, and what the platform decides about it.
import { randomInt } from 'node:crypto'
import { type Activity, withMoney } from './activity.ts'
import { THRESHOLD } from './policy.ts'
import { pick, type Resident } from './resident.ts'

const payee = ({ account, payees }: Resident, amount: number) => ({
  source: { accountId: account },
  destination: { accountId: pick(payees), paymentRail: 'ACH' },
  amount,
})

const isFor = ({ agent }: Resident) => agent !== undefined

export const AGENT_ACTIVITIES: readonly Activity[] = [
  {
    name: 'payment by an agent',
    weight: 1,
    isFor,
    act: (call, resident) =>
      withMoney(call, resident, async () =>
        resident.agent?.call('POST', '/agents/me/transfer-out', payee(resident, randomInt(100, THRESHOLD))),
      ),
  },
  {
    name: 'approval',
    weight: 2,
    isFor,
    act: (call, resident) =>
      withMoney(call, resident, async () => {
        const { agent } = resident
        const wanted = payee(resident, randomInt(THRESHOLD + 1, 20_000))
        const action = await agent?.call('POST', '/agents/me/transfer-out', wanted)
        // Some stay open, for a person to decide on the dashboard.
        const decision = pick(['approve', 'approve', 'approve', 'reject', null])
        if (decision) await call('POST', `/agents/${agent?.id}/actions/${action.id}/${decision}`)
      }),
  },
]
