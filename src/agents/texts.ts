// Descriptions of the public fields that are not columns of one record, for both faces.

export const AGENT_TEXTS = {
  policy: 'What the agent may do, and when the platform must approve.',
  usage: 'How much of its limits the agent has used.',
} as const

export const POLICY_TEXTS = {
  spendingLimits: 'How much the agent may spend.',
  accountRestrictions:
    'Accounts that the agent may use, and rules for individual accounts. Without them the agent may use every internal account of the customer.',
  approvalThresholds:
    'Amount above which an action needs approval, even if the mode is `AUTO`. Without it no amount needs approval.',
  ruleAccountId: '`InternalAccount:<uuid>` of the customer.',
  ruleExecutionMode: 'Whether actions on this account need approval. If not set, `defaultExecutionMode` applies.',
  rulePerTransactionLimit:
    'Maximum amount per transaction on this account, in the smallest unit of the currency of the limits. Null means that the limit in `spendingLimits` applies.',
} as const

export const USAGE_TEXTS = {
  dailyResetDate: 'UTC date on which the daily counters reset, for example `2025-10-14`.',
  monthlyResetMonth: 'UTC month in which the monthly counters reset, `YYYY-MM`.',
} as const

export const DEVICE_CODE_TEXTS = {
  code: 'The code, `SERVICE-AGENT-XXXX-XXXX`. Not case-sensitive.',
  agentId: '`Agent:<uuid>` of the agent that the code connects.',
  expiresAt: 'When the code expires, 24 hours after it was issued.',
  redeemed: 'Whether the code was redeemed.',
} as const

export const CONNECTION_TEXTS = {
  agentId: '`Agent:<uuid>` of the connected agent.',
  accessToken:
    'Access token for the header `Authorization: Bearer`. It is returned only once, and is valid until the agent is deleted.',
} as const

export const ACTION_TEXTS = {
  quote: 'Quote to execute. Only for `EXECUTE_QUOTE`.',
  repricedFrom: 'Expired quote that `quote` replaced. Only if the original quote expired before the approval.',
  transferDetails: 'Details of the transfer. Only for `TRANSFER_OUT` and `TRANSFER_IN`.',
  externalAccountId:
    '`ExternalAccount:<uuid>` of the account. Only for `CREATE_EXTERNAL_ACCOUNT` and `DELETE_EXTERNAL_ACCOUNT`.',
  externalAccount:
    'The account, even after it was deleted. Only for `CREATE_EXTERNAL_ACCOUNT` and `DELETE_EXTERNAL_ACCOUNT`.',
  transaction:
    'Transaction of a payment. No money moves until the action is approved. An agent sees it without `VIEW_TRANSACTIONS` too.',
  failure: 'Why the action could not be executed. Only when the action is `FAILED`.',
} as const

export const APPROVAL_EFFECT =
  'The policy is checked again. If it no longer allows the action, the action becomes `FAILED`, with the reason in `failure`. An expired quote is priced again, unless it pays from a wallet: then the action becomes `FAILED`.'
