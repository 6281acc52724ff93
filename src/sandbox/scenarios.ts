// Every magic value of the sandbox, from the tables that the code obeys (docs/domain/sandbox.md#magic-values).
import { BENEFICIARY_CHECKS } from '#accounts/external/beneficiary-check.ts'
import { CARD_FUNDING_SOURCES, CARD_ISSUANCE, CARD_MERCHANTS } from '#cards/sandbox/scenario.ts'
import type { MagicMatch, MagicTable } from '#core/magic-values.ts'
import { WALLET_CODES } from '#credentials/kinds/otp/code.ts'
import { NEW_PERSONS } from '#customers/create.ts'
import { NEW_OWNERS } from '#customers/owners/first-status.ts'
import { SCA_CODES } from '#sca/contacts/verification.ts'
import {
  QUOTE_SCENARIOS,
  TRANSFER_IN_SCENARIOS,
  TRANSFER_OUT_SCENARIOS,
  UMA_RECEIVER_SCENARIOS,
  UMA_SENDER_SCENARIOS,
} from '#settlement/sandbox/scenario.ts'
import { VERIFIED_BUSINESSES, VERIFIED_PERSONS } from '#verification/sandbox/magic-values.ts'

/** A new table needs a line here, and a trial in test/sandbox/magic-values.test.ts. */
export const MAGIC_TABLES: readonly MagicTable[] = [
  QUOTE_SCENARIOS,
  TRANSFER_OUT_SCENARIOS,
  TRANSFER_IN_SCENARIOS,
  BENEFICIARY_CHECKS,
  UMA_SENDER_SCENARIOS,
  UMA_RECEIVER_SCENARIOS,
  NEW_PERSONS,
  VERIFIED_PERSONS,
  VERIFIED_BUSINESSES,
  NEW_OWNERS,
  WALLET_CODES,
  SCA_CODES,
  CARD_ISSUANCE,
  CARD_FUNDING_SOURCES,
  CARD_MERCHANTS,
]

/** One magic value, as `sandboxScenarios` shows it. */
export interface SandboxScenario {
  readonly table: string
  readonly place: string
  readonly match: MagicMatch
  /** Null for every other value. */
  readonly value: string | null
  readonly effect: string
}

export const SANDBOX_SCENARIOS: readonly SandboxScenario[] = MAGIC_TABLES.flatMap(
  ({ name: table, place, match, values, otherwise }) => [
    ...Object.entries(values).map(([value, { effect }]) => ({ table, place, match, value, effect })),
    { table, place, match, value: null, effect: otherwise.effect },
  ],
)

const rowOf = ({ place, values, otherwise }: MagicTable): string => {
  const effects = Object.entries(values).map(([value, { effect }]) => `\`${value}\` ${effect}`)
  return `| ${place} | ${[...effects, `else ${otherwise.effect}`].join('<br>')} |`
}

/** The tables in Markdown. */
export const MAGIC_VALUES_TEXT = [
  '| Where | Value and effect |',
  '|---|---|',
  ...MAGIC_TABLES.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(rowOf),
].join('\n')
