// The tabs that GraphiQL opens in the demo. A test runs all of them.
import { type Example, SANDBOX_EXAMPLES } from './sandbox-examples.ts'

export const EXAMPLES: readonly Example[] = [
  {
    query: `# A page of transactions for a table: the fields that all types share, with formatted amounts.
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
    query: `# A card and its transactions, with summaries of pulls, settlements and refunds.
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
    query: `# A customer with its accounts, cards, agents and transactions, in a constant number of SQL statements.
query CustomerWithEverything {
  customer(by: { platformCustomerId: "ada-lovelace" }) {
    id
    customerName
    email
    umaAddress
    verificationStatus
    internalAccounts { nodes { id internalType accountStatus balance { formatted } transactions { totalCount } } }
    externalAccounts { nodes { id accountStatus accountInfo { accountType fields { key value } } } }
    cards { nodes { last4 state transactions(first: 1) { totalCount nodes { merchant { descriptor } amount { formatted } } } } }
    agents { nodes { name isPaused policy { permissions defaultExecutionMode approvalThresholds { amountMoney { formatted } } } usage { dailySpendMoney { formatted } } } }
    transactions(first: 3, filter: { types: [INCOMING, OUTGOING] }) {
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
    query: `# Filtering and paging. Run it, copy endCursor into "after", and run it again.
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
    variables: { filter: { statuses: ['FAILED'], types: ['OUTGOING'] }, after: null },
  },
  {
    query: `# Start signing in to a wallet. The owner gets a code by email; in the sandbox it is always 000000 and nothing is sent. The owner's
# device encrypts the code to the bundle, and verifyCredential then returns the payload that the device must sign.
mutation SendCode($id: ID!) {
  challengeCredential(input: { id: $id }) {
    ... on OtpChallengeSent {
      authMethod { credentialType nickname otpEncryptionTargetBundle account { authMethods { nodes { credentialType nickname } } sessions { nodes { expiresAt } } } }
    }
    ... on ApiError { status code message }
    ... on RateLimitError { retryAfterSeconds }
  }
}
`,
    variables: { id: 'AuthMethod:46e47550-2da4-708f-b60e-bf8f811c5146' },
  },
  {
    query: `# State changes as they happen. Run it, then approve an action in the tab Approve: its steps appear here.
subscription Live {
  events(most: 20) {
    cursor
    events {
      eventType
      createdAt
      transaction { ... on TransactionNode { id status amount { formatted } } }
      internalAccount { id balance { formatted } }
      data
    }
  }
}
`,
  },
  {
    query: `# The approval queue: agent actions that wait for a decision, with the policies of the agents. The next tab approves one.
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
    query: `# Approve an action. The policy is checked again before the money moves. The second run returns a conflict.
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
  {
    query: `# Customers on their way to approval: what their verification lacks, their owners and documents, and their second factors.
query Onboarding {
  customers(filter: { verificationStatuses: [PENDING] }, first: 5) {
    nodes {
      customerName
      customerType
      verifications { nodes { verificationState errors { type reason acceptedDocumentTypes } } }
      beneficialOwners { nodes { roles ownershipPercentage kycStatus personalInfo { firstName lastName } } }
      documents { nodes { documentType mediaType size beneficialOwner { id } } }
    }
  }
  withFactors: customer(by: { platformCustomerId: "anna-schmidt" }) {
    customerName
    contactVerification { email phone }
    sca { factors { factorType createdAt } authenticatedUntil }
  }
  accountRequirements(currency: "MXN") { accountType fields { name label example required } }
}
`,
  },
  ...SANDBOX_EXAMPLES,
]
