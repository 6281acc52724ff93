// The query `sandboxScenarios`, which lists every magic value.
import { MAGIC_MATCHES } from '#core/magic-values.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { SANDBOX_SCENARIOS, type SandboxScenario } from './scenarios.ts'
import { SCENARIO_TEXTS } from './texts.ts'

const MatchEnum = enumOf('SandboxMatch', 'What is compared with a magic value.', MAGIC_MATCHES, {
  SUFFIX: 'The last three characters. In a value like an email address, the last three before the `@`.',
  CODE: 'The whole code.',
  UMA_NAME: 'The part of a UMA address before the `@`. The domain may be any.',
})

const SandboxScenarioType = builder.objectRef<SandboxScenario>('SandboxScenario').implement({
  description: 'A magic value, and what the sandbox does with it.',
  fields: (t) => ({
    table: t.exposeString('table', { nullable: false, description: SCENARIO_TEXTS.table }),
    place: t.exposeString('place', { nullable: false, description: SCENARIO_TEXTS.place }),
    match: t.expose('match', { type: MatchEnum, nullable: false, description: SCENARIO_TEXTS.match }),
    value: t.exposeString('value', { description: SCENARIO_TEXTS.value }),
    effect: t.exposeString('effect', { nullable: false, description: SCENARIO_TEXTS.effect }),
  }),
})

builder.queryField('sandboxScenarios', (t) =>
  t.field({
    type: [SandboxScenarioType],
    nullable: { list: false, items: false },
    description:
      'Every magic value of the sandbox, taken from the tables that decide the outcome. Needs no permission.',
    extensions: costing({ rows: 1, items: () => SANDBOX_SCENARIOS.length }),
    resolve: () => SANDBOX_SCENARIOS,
  }),
)
