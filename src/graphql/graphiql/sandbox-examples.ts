// The tabs about the sandbox: money that comes in, and magic values.

export interface Example {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

export const SANDBOX_EXAMPLES: readonly Example[] = [
  {
    query: `# Deposit money for Ada, as a bank would. Only the sandbox has these mutations.
mutation Deposit {
  sandboxFundAccount(input: { accountId: "InternalAccount:5533d10c-5618-7fb5-928b-689099c82e4d", amount: 10000 }) {
    ... on SandboxFundAccountSuccess {
      account { id balance { formatted } }
      transaction { id status amount { formatted } }
    }
    ... on ApiError { status code message }
  }
}
`,
  },
  {
    query: `# Receive a payment from a UMA address, which waits for the platform: approveTransaction or rejectTransaction decides it. Then let time pass.
mutation ReceiveUma($input: SandboxReceiveUmaInput!) {
  sandboxReceiveUma(input: $input) {
    ... on SandboxTransactionSuccess { transaction { id status timeline { to at } } }
    ... on ApiError { status code message details { field } }
  }
  sandboxAdvanceTime(input: { seconds: 2 }) { ... on SandboxAdvanceTimeSuccess { jobsRun advancedSeconds } }
}
`,
    variables: {
      input: {
        senderUmaAddress: '$success.usd@sandbox.example',
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 2500,
        receiver: { customerId: 'Customer:671807f8-9a23-7cff-a16e-a5c662c6fe02' },
      },
    },
  },
  {
    query: `# Every magic value of the sandbox: where to use it, and what happens.
query MagicValues {
  sandboxScenarios { table place match value effect }
}
`,
  },
]
