// What the agents of the sandbox's customers may do.

/** In cents. Above this amount the platform is asked. */
export const THRESHOLD = 5_000

export const POLICY = {
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 100_000 },
  approvalThresholds: { currency: 'USD', amount: THRESHOLD },
} as const
