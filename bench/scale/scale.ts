// What it costs to run several gateways, to have many waiting jobs, and to distribute the database.
import { databaseOf, type Server } from '../databases.ts'
import { atLeast, atMost, type Line } from '../report.ts'
import { measureCitus } from './citus.ts'
import { measureGateways, WAIT_GOAL_MS, type Waits } from './gateways.ts'
import { measureWaitingJobs } from './waiting-jobs.ts'

export const measureScale = async (server: Server, rows: number, seconds: number): Promise<Line[]> => {
  const url = await databaseOf(server, rows)
  const gateways = await measureGateways(url, seconds)
  const jobs = await measureWaitingJobs(url)
  const citus = await measureCitus(rows)
  return [
    atMost('two gateways : one, CPU of the gateways for a request', gateways.atSamePace.gateways, 1.05),
    atMost('two gateways : one, CPU of Postgres for a request', gateways.atSamePace.postgres, 1.05),
    { measure: 'the same at full load: gateways', value: gateways.atFullLoad.gateways.toFixed(2) },
    { measure: 'the same at full load: Postgres', value: gateways.atFullLoad.postgres.toFixed(2) },
    {
      measure: 'longest wait for an account that the other gateway changes, ms',
      value: gateways.accounts.longest.toFixed(2),
    },
    aboveGoal(gateways.accounts),
    atMost(
      `longest wait for another lock of the other gateway, ms (${gateways.others.names.join(', ') || 'none'})`,
      gateways.others.longest,
      WAIT_GOAL_MS,
    ),
    aboveGoal(gateways.others),
    atLeast('payments/s with 1 million waiting jobs : without', jobs.payments, 0.9),
    { measure: 'CPU of Postgres for an idle gateway, ms/s', value: jobs.idleWithout.toFixed(1) },
    { measure: 'CPU of Postgres for an idle gateway with 1 million waiting jobs, ms/s', value: jobs.idle.toFixed(1) },
    ...(citus
      ? [
          { measure: 'page on Citus : on one Postgres', value: citus.page.toFixed(2) },
          { measure: 'count on Citus : on one Postgres', value: citus.count.toFixed(2) },
        ]
      : [{ measure: 'Citus (set CITUS to its programs)', value: 'skipped' }]),
  ]
}

const aboveGoal = (waits: Waits): Line => ({
  measure: `samples in which it was above ${WAIT_GOAL_MS} ms`,
  value: `${(waits.aboveGoal * 100).toFixed(1)} %`,
})
