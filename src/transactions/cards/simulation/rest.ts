// `/sandbox/cards/{id}/simulate`: 202, and the effect follows.
import type { Context } from 'hono'
import { readBody } from '#rest/body.ts'
import { type RestVariables, router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { CardStep } from '#transactions/cards/steps.ts'
import { AUTHORIZATION_KINDS } from './request.ts'
import type { acceptedSchema } from './rest-operations.ts'
import {
  requireSimulation,
  type SimulationAccepted,
  simulateAuthorization,
  simulateInquiry,
  simulateStep,
} from './simulate.ts'

export const simulationRoutes = router()

const STEPS = ['AUTHORIZATION_ADVICE', 'CLEARING', 'RETURN', 'RETURN_REVERSAL'] as const satisfies readonly CardStep[]

type Simulate = (
  caller: RestVariables['Variables']['caller'],
  cardId: string,
  input: unknown,
) => Promise<SimulationAccepted>

const simulation = (name: string, simulate: Simulate) =>
  simulationRoutes.post(`/:id/simulate/${name.toLowerCase()}`, async (context: Context<RestVariables, '/:id'>) => {
    const { caller } = context.var
    // Checked before the body is read.
    requireSimulation(caller)
    const input = await readBody(context)
    const accepted: BodyOf<typeof acceptedSchema> = await simulate(caller, context.req.param('id'), input)
    return context.json(accepted, 202)
  })

for (const kind of AUTHORIZATION_KINDS) {
  simulation(kind, (caller, id, input) => simulateAuthorization(caller, id, kind, input))
}
simulation('BALANCE_INQUIRY', simulateInquiry)
for (const step of STEPS) simulation(step, (caller, id, input) => simulateStep(caller, id, step, input))
