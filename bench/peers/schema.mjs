// The part of the gateway's schema that the query of record uses. Its enums are strings here, which are cheaper.
const NODE = 'id: ID! status: String! direction: String! createdAt: DateTime! amount: Money customer: Customer'
const PAYMENT = `${NODE} description: String settledAt: DateTime fees: Int64 exchangeRate: Decimal
  source: TransactionSource destination: TransactionDestination agent: Agent`
const ACCOUNT = 'id: ID! currency: Currency!'

export const schema = /* GraphQL */ `
  scalar DateTime
  scalar Decimal
  scalar Int64

  type Query { transactions(first: Int!): TransactionConnection! }
  type TransactionConnection { nodes: [TransactionNode!]! pageInfo: PageInfo! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }

  type Currency { code: String! }
  type Money { amount: Int64! currency: Currency! }
  type Customer { id: ID! name: String }
  type Agent { id: ID! name: String! }
  type Card { id: ID! brand: String last4: String }

  interface Account { ${ACCOUNT} }
  type InternalAccount implements Account { ${ACCOUNT} type: String! balance: Money }
  type ExternalAccount implements Account { ${ACCOUNT} accountInfo: AccountInfo! }
  type AccountInfo { accountType: String! }

  union TransactionSource = AccountSource | UmaAddressSource | RealtimeFundingSource
  type AccountSource { account: Account }
  type UmaAddressSource { umaAddress: String! }
  type RealtimeFundingSource { currency: String }

  union TransactionDestination = AccountDestination | UmaAddressDestination
  type AccountDestination { account: Account }
  type UmaAddressDestination { umaAddress: String! }

  interface TransactionNode { ${NODE} }
  interface PaymentTransaction implements TransactionNode { ${PAYMENT} }
  type IncomingTransaction implements TransactionNode & PaymentTransaction { ${PAYMENT}
    receivedAmount: Money reconciliationInstructions: ReconciliationInstructions incomingFailureReason: String
  }
  type ReconciliationInstructions { reference: String transactionHash: String }
  type OutgoingTransaction implements TransactionNode & PaymentTransaction { ${PAYMENT}
    sentAmount: Money receivedAmount: Money platformFees: Int64 paymentRail: String expectedSettlementAt: DateTime
    outgoingFailureReason: String refund: Refund
  }
  type Refund { reference: String! status: String! }
  type CardTransaction implements TransactionNode { ${NODE}
    merchant: Merchant! settledAmount: Money refundedAmount: Money lastEventAt: DateTime
    settlementSummary: SettlementSummary card: Card account: Account
  }
  type Merchant { descriptor: String mcc: String country: String }
  type SettlementSummary { count: Int! totalAmount: Int64! }
`
