// Descriptions of the sandbox for both faces.
import { MAGIC_VALUES_TEXT } from './scenarios.ts'

export const SANDBOX_TEXT = `Operations for sandbox platforms only. They simulate incoming money and the passage of time. Production platforms get 403.

**Magic values** select what the sandbox simulates. A value of three digits is compared with the last three characters. In a value like an email address, it is compared with the last three before the \`@\`.

${MAGIC_VALUES_TEXT}`

export const SCENARIO_TEXTS = {
  table: 'The table that the value belongs to, for example `EXTERNAL_ACCOUNT_OF_QUOTE`.',
  place: 'The field that is read, and when.',
  match: 'What is compared with the value.',
  value: 'The magic value. Null stands for every other value.',
  effect: 'What the sandbox does.',
} as const
