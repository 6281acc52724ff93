// The plans of all statements of this process, including those within functions and triggers, as Postgres reports them with auto_explain.
import pg from 'pg'
import { vi } from 'vitest'

export interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Schema?: string
  readonly Alias?: string
  readonly Plans?: readonly Plan[]
  readonly [detail: string]: unknown
}

export interface Planned {
  readonly text: string
  readonly plan: Plan
}

/** Call it before the first connection. Connections that are opened from then on report every plan. */
export const tellPlans = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_format': 'json',
    // Each column has the name of its table.
    'auto_explain.log_verbose': 'on',
    'auto_explain.log_parameter_max_length': '0',
  }
  for (const [name, value] of Object.entries(settings)) {
    await client.query(
      `do $$ begin execute format('alter database %I set ${name} = ''${value}''', current_database()); end $$`,
    )
  }
  await client.end()
}

/** The plans of what is executed while `work` runs. */
export const plansOf = async (work: () => Promise<unknown>): Promise<Planned[]> => {
  const plans: Planned[] = []
  const { emit } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'emit').mockImplementation(function (
    this: pg.Client,
    event: string | symbol,
    ...given: unknown[]
  ) {
    const [, plan] = event === 'notice' ? ((given[0] as Error).message.match(/ plan:\n(.*)/s) ?? []) : []
    if (plan !== undefined) {
      const { 'Query Text': text, Plan } = JSON.parse(plan)
      plans.push({ text: text.replaceAll(/\s+/g, ' ').trim(), plan: Plan })
    }
    return Reflect.apply(emit, this, [event, ...given])
  } as typeof emit)
  try {
    await work()
    return plans
  } finally {
    spy.mockRestore()
  }
}

export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
