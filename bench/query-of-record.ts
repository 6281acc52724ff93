// The query of record: a page of transactions with their related objects, as a dashboard would show it.
export const QUERY_OF_RECORD = /* GraphQL */ `
  query Page($first: Int!) {
    transactions(first: $first) {
      nodes {
        __typename
        ... on TransactionNode {
          id status direction createdAt
          amount { ...Amount }
          customer { id name }
        }
        ... on PaymentTransaction {
          description settledAt fees exchangeRate
          source {
            ... on AccountSource { account { ...Account } }
            ... on UmaAddressSource { umaAddress }
            ... on RealtimeFundingSource { currency }
          }
          destination {
            ... on AccountDestination { account { ...Account } }
            ... on UmaAddressDestination { umaAddress }
          }
          agent { id name }
        }
        ... on IncomingTransaction {
          receivedAmount { ...Amount }
          reconciliationInstructions { reference transactionHash }
          incomingFailureReason
        }
        ... on OutgoingTransaction {
          sentAmount { ...Amount }
          receivedAmount { ...Amount }
          platformFees paymentRail expectedSettlementAt outgoingFailureReason
          refund { reference status }
        }
        ... on CardTransaction {
          merchant { descriptor mcc country }
          settledAmount { ...Amount }
          refundedAmount { ...Amount }
          lastEventAt
          settlementSummary { count totalAmount }
          card { id brand last4 }
          account { ...Account }
        }
      }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
  fragment Amount on Money { amount currency { code } }
  fragment Account on Account {
    id
    currency { code }
    ... on InternalAccount { type balance { ...Amount } }
    ... on ExternalAccount { accountInfo { accountType } }
  }
`
