// The tabs that GraphiQL opens with in the demo. A test runs them all.
interface Example {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

export const EXAMPLES: readonly Example[] = [
  {
    query: `# A table page: what every transaction has, whatever its type, and money as a person reads it.
query TablePage {
  transactions(first: 10) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      __typename
      ... on TransactionNode {
        id
        status
        direction
        createdAt
        amount { formatted }
        customer { customerName }
      }
      ... on PaymentTransaction {
        description
        source { sourceType ... on AccountSource { account { id currency { code } } } }
        destination { destinationType ... on UmaAddressDestination { umaAddress } }
      }
      ... on CardTransaction {
        merchant { descriptor country }
      }
    }
  }
}
`,
  },
  {
    query: `# A card and what it was used for, with the pulls, clearings and returns rolled up.
query CardWithSummaries($id: ID!) {
  node(id: $id) {
    ... on Card {
      id
      state
      brand
      last4
      customer { customerName }
      account { balance { formatted } totalBalance { formatted } }
      transactions(first: 5) {
        totalCount
        nodes {
          cardStatus
          merchant { descriptor mcc country }
          authorizedAmount { formatted }
          settledAmount { formatted }
          refundedAmount { formatted }
          pullSummary { count total { formatted } pendingCount }
          settlementSummary { count total { formatted } }
          refundSummary { count total { formatted } }
          timeline { to at }
        }
      }
    }
  }
}
`,
    variables: { id: 'Card:f24f5316-02b6-7246-90be-4aea8b772a93' },
  },
  {
    query: `# One customer with everything around it, in a constant number of SQL statements.
query CustomerWithEverything {
  customer(by: { platformCustomerId: "ada-lovelace" }) {
    id
    customerName
    email
    umaAddress
    verificationStatus
    internalAccounts { id internalType accountStatus balance { formatted } transactions { totalCount } }
    externalAccounts { id accountStatus accountInfo { accountType fields { key value } } }
    cards { last4 state transactions(first: 1) { totalCount nodes { merchant { descriptor } amount { formatted } } } }
    agents { name isPaused policy { permissions defaultExecutionMode approvalThresholds { amountMoney { formatted } } } usage { dailySpendMoney { formatted } } }
    transactions(first: 3, filter: { itemTypes: [INCOMING, OUTGOING] }) {
      totalCount
      nodes {
        ... on PaymentTransaction {
          id
          paymentStatus
          amount { formatted }
          agent { name }
          quote { exchangeRate totalSending { formatted } totalReceiving { formatted } }
          counterpartyInformation(keys: ["FULL_NAME"]) { key value }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# A filter with paging: run it, then put endCursor into "after" and run it again.
query FailedPayments($filter: TransactionFilter, $after: String) {
  transactions(filter: $filter, first: 3, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      ... on PaymentTransaction {
        id
        createdAt
        amount { formatted }
        failureReason
        refund { status reason }
      }
    }
  }
}
`,
    variables: { filter: { status: 'FAILED', type: 'OUTGOING' }, after: null },
  },
  {
    query: `# The start of a wallet's sign-in: a code goes to the owner's e-mail (in sandbox it is 000000, and nothing is sent). The owner's
# device seals it to the bundle, and verifyCredential answers what the device has to sign.
mutation SendCode($id: ID!) {
  challengeCredential(input: { id: $id }) {
    ... on OtpChallengeSent {
      authMethod { credentialType nickname otpEncryptionTargetBundle account { authMethods { credentialType nickname } sessions { expiresAt } } }
    }
    ... on ApiError { status code message }
    ... on RateLimitError { retryAfterSeconds }
  }
}
`,
    variables: { id: 'AuthMethod:46e47550-2da4-708f-b60e-bf8f811c5146' },
  },
  {
    query: `# The approval queue: what agents want to do with their customers' money, and what their policies say. The next tab decides.
query ApprovalQueue {
  agentApprovals(first: 10) {
    totalCount
    nodes {
      id
      actionType
      createdAt
      customer { customerName }
      agent {
        id
        name
        isPaused
        policy {
          defaultExecutionMode
          approvalThresholds { amountMoney { formatted } }
          spendingLimits { perTransactionLimitMoney { formatted } dailyLimitMoney { formatted } }
        }
        usage { dailySpendMoney { formatted } dailyTransactionCount }
      }
      quote { expiresAt exchangeRate totalSending { formatted } totalReceiving { formatted } feesIncludedMoney { formatted } }
      transferDetails { total { formatted } }
      transaction {
        id
        source { ... on AccountSource { account { id ... on InternalAccount { balance { formatted } } } } }
        destination { ... on AccountDestination { account { id ... on ExternalAccount { accountInfo { accountType } } } } }
      }
    }
  }
}
`,
  },
  {
    query: `# The platform's decision: the policy is asked again, and then the money leaves. Run it twice, and the second time it is decided.
mutation Approve($input: ApproveAgentActionInput!) {
  approveAgentAction(input: $input) {
    ... on AgentActionSuccess {
      agentAction {
        actionStatus
        agent { usage { dailySpendMoney { formatted } dailyTransactionCount } }
        transaction { id paymentStatus timeline { to at } }
      }
    }
    ... on ApiError { status code message }
  }
}
`,
    variables: {
      input: {
        agentId: 'Agent:cf977c2e-22d5-7a88-a6db-4ed71c6bd828',
        actionId: 'AgentAction:5365e4bc-e0b7-7c53-ad13-6eac821b30b7',
      },
    },
  },
]
