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
  const { atSamePace, atFullLoad } = gateways
  return [
    atMost('two gateways : one, CPU of the gateways for a request', atSamePace.gateways, 1.05),
    atMost('two gateways : one, CPU of Postgres for a request', atSamePace.postgres, 1.05),
    atMost('longest wait for an account that the other gateway changes, ms', atSamePace.accounts.longest, WAIT_GOAL_MS),
    atMost(
      `longest wait for another lock of it, ms (${namesOf(atSamePace.others)})`,
      atSamePace.others.longest,
      WAIT_GOAL_MS,
    ),
    { measure: 'the same at full load: gateways', value: atFullLoad.gateways.toFixed(2) },
    { measure: 'the same at full load: Postgres', value: atFullLoad.postgres.toFixed(2) },
    waitLine('account', atFullLoad.accounts),
    waitLine('another lock', atFullLoad.others),
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

const namesOf = ({ names }: Waits): string => names.join(', ') || 'none'

const waitLine = (what: string, waits: Waits): Line => ({
  measure: `the same at full load: ${what} (${namesOf(waits)}), ms; samples above ${WAIT_GOAL_MS} ms`,
  value: `${waits.longest.toFixed(2)}; ${(waits.aboveGoal * 100).toFixed(1)} %`,
})
