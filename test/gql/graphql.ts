/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A ledger account that is not an internal account of a customer or of the platform. */
export type LedgerBook =
  /** The exchange of one currency for another. */
  | 'EXCHANGE'
  /** Fees of the service. */
  | 'FEES'
  /** Banks, networks and counterparties outside the service. */
  | 'OUTSIDE'
  /** Money that is owed to the service. */
  | 'RECEIVABLE'
  /** What UMA counterparties and the service owe each other. */
  | 'SETTLEMENT'
  /** Money that was pushed to the service and is on its way back, and card money whose account is closed. */
  | 'SUSPENSE';

/** Why money moved. */
export type LedgerMovementKind =
  /** US dollars paid for redeemed stablecoins. */
  | 'BURN'
  /** Money from outside arrived in an account. */
  | 'FUNDING'
  /** US dollars paid for newly issued stablecoins. */
  | 'MINT'
  /** Opening balance of an account. */
  | 'OPENING'
  /** Money that a transaction moves. */
  | 'PAYMENT'
  /** Money that a transaction returns. */
  | 'REFUND';

/** How statistics can be grouped. */
export type StatisticsDimension =
  /** Currency of `TransactionNode.amount`. */
  | 'CURRENCY'
  /** `TransactionNode.direction`. */
  | 'DIRECTION'
  /** `TransactionNode.status`: the current state. */
  | 'STATUS'
  /** `TransactionNode.type`. */
  | 'TYPE';

/** Length of a bucket of statistics. */
export type StatisticsInterval =
  /** A UTC day. */
  | 'DAY'
  /** A calendar month in UTC. */
  | 'MONTH'
  /** Seven UTC days from Monday on. */
  | 'WEEK';

/** `DEBIT`: the payer's account is debited. `CREDIT`: money is pushed to the receiver. Independent of `type`: a transfer in is `INCOMING` with `DEBIT`, because the external account is debited. */
export type TransactionDirection =
  /** Money is pushed to the receiver. */
  | 'CREDIT'
  /** Money is taken from the payer's account. */
  | 'DEBIT';

/** All given conditions must hold. */
export type TransactionFilter = {
  /** Account ID or UMA address of the sender or the receiver. */
  accountIdentifier?: string | null | undefined;
  /** Only transactions that this agent initiated. */
  agentId?: string | number | null | undefined;
  /** Only transactions of this card. */
  cardId?: string | number | null | undefined;
  /** Code of the currency of `amount`, exact. */
  currency?: string | null | undefined;
  /** Customer ID: `Customer:<uuid>`. The ID of the platform finds its own transactions. */
  customerId?: string | number | null | undefined;
  /** Only transactions in this direction. */
  direction?: TransactionDirection | null | undefined;
  /** Created at this time or earlier. A date without a time means the whole day in UTC. */
  endDate?: string | null | undefined;
  /**
   * Only transactions of these types, including cards. An empty list means no filter.
   * @deprecated Use `types`, which is the same.
   */
  itemTypes?: Array<TransactionItemType> | null | undefined;
  /** Maximum `amount`, inclusive, in the smallest unit of `currency`, which is then required. */
  maxAmount?: number | null | undefined;
  /** Minimum `amount`, inclusive, in the smallest unit of `currency`, which is then required. */
  minAmount?: number | null | undefined;
  /** The customer's exact ID in the platform's own system. */
  platformCustomerId?: string | null | undefined;
  /** Account ID or UMA address of the receiver. */
  receiverAccountIdentifier?: string | null | undefined;
  /** Exact reference of the reconciliation instructions or the payment instructions. */
  reference?: string | null | undefined;
  /** Start of the description, the merchant descriptor or the counterparty name, ignoring case. */
  search?: string | null | undefined;
  /** Account ID or UMA address of the sender. */
  senderAccountIdentifier?: string | null | undefined;
  /** Created at this time or later. A date without a time means the whole day in UTC. */
  startDate?: string | null | undefined;
  /**
   * Only transactions with this status. `REFUNDED` includes card transactions.
   * @deprecated Use `statuses`, which takes several states, including those of cards.
   */
  status?: TransactionStatus | null | undefined;
  /** Only transactions in any of these states, whatever their type. An empty list means no filter. */
  statuses?: Array<TransactionLifecycleStatus> | null | undefined;
  /**
   * Only transactions of this type, which excludes card transactions.
   * @deprecated Use `types`, which takes several types, including cards.
   */
  type?: TransactionType | null | undefined;
  /** Only transactions of these types, including cards. An empty list means no filter. */
  types?: Array<TransactionItemType> | null | undefined;
};

/** Discriminator of an item of a transaction list. */
export type TransactionItemType =
  /** `CardTransaction`. */
  | 'CARD'
  /** `IncomingTransaction`. */
  | 'INCOMING'
  /** `OutgoingTransaction`. */
  | 'OUTGOING';

/** Every state that a transaction of any type can be in. For table columns and filters that span the types. */
export type TransactionLifecycleStatus =
  /** The authorization is approved, and the amount is held on the funding source. There is no clearing yet. */
  | 'AUTHORIZED'
  /** The money has arrived, or the payment was cancelled and refunded. */
  | 'COMPLETED'
  /** The payment request of an incoming UMA payment has arrived. */
  | 'CREATED'
  /** Settled on the card network, but the pull from the funding source failed. */
  | 'EXCEPTION'
  /** The quote expired before it was executed, or the incoming payment got no quote in time. */
  | 'EXPIRED'
  /** An error occurred during the payment. */
  | 'FAILED'
  /** At least one clearing is posted, and more are expected. */
  | 'PARTIALLY_SETTLED'
  /** The quote or the transfer was created. No money has moved yet. */
  | 'PENDING'
  /** The payment waits for Strong Customer Authentication. Only for customers in an SCA region: authorize `PaymentTransaction.scaChallenge`. */
  | 'PENDING_AUTHORIZATION'
  /** The payment is under way. */
  | 'PROCESSING'
  /** Refunded: `TransactionStatus` or `CardTransactionStatus`. */
  | 'REFUNDED'
  /** The platform rejected the incoming payment. */
  | 'REJECTED'
  /** All clearings are posted, and the funding source has paid them. */
  | 'SETTLED';

/** All given conditions must hold. */
export type TransactionStatisticsFilter = {
  /** Any of these currency codes. An empty list means no filter. */
  currencies?: Array<string> | null | undefined;
  /** Only transactions in this direction. */
  direction?: TransactionDirection | null | undefined;
  /** Any of these states. An empty list means no filter. */
  statuses?: Array<TransactionLifecycleStatus> | null | undefined;
  /** Any of these types. An empty list means no filter. */
  types?: Array<TransactionItemType> | null | undefined;
};

/** State of a payment transaction. */
export type TransactionStatus =
  /** The money has arrived, or the payment was cancelled and refunded. */
  | 'COMPLETED'
  /** The payment request of an incoming UMA payment has arrived. */
  | 'CREATED'
  /** The quote expired before it was executed, or the incoming payment got no quote in time. */
  | 'EXPIRED'
  /** An error occurred during the payment. */
  | 'FAILED'
  /** The quote or the transfer was created. No money has moved yet. */
  | 'PENDING'
  /** The payment waits for Strong Customer Authentication. Only for customers in an SCA region: authorize `PaymentTransaction.scaChallenge`. */
  | 'PENDING_AUTHORIZATION'
  /** The payment is under way. */
  | 'PROCESSING'
  /** The payment was completed, and the whole amount was returned later. */
  | 'REFUNDED'
  /** The platform rejected the incoming payment. */
  | 'REJECTED';

/** Type of a payment transaction, and the values that `TransactionFilter.type` accepts. */
export type TransactionType =
  /** Money received by the customer. */
  | 'INCOMING'
  /** Money sent by the customer. */
  | 'OUTGOING';

export type CustomersWithTransactionsQueryVariables = Exact<{ [key: string]: never; }>;


export type CustomersWithTransactionsQuery = { customers: { nodes: Array<{ platformCustomerId: string, transactions: { totalCount: number | null, nodes: Array<
          | { platformCustomerId: string, createdAt: string }
          | { platformCustomerId: string, createdAt: string }
          | { platformCustomerId: string, createdAt: string }
        > } | null }> } | null };

export type LedgerQueryVariables = Exact<{
  id: string | number;
}>;


export type LedgerQuery = { transaction:
    | { ledgerMovements: Array<{ kind: LedgerMovementKind, createdAt: string, entries: Array<{ book: LedgerBook | null, account: { id: string } | null, amount: { amount: number, currency: { code: string } } }> }> | null }
    | { ledgerMovements: Array<{ kind: LedgerMovementKind, createdAt: string, entries: Array<{ book: LedgerBook | null, account: { id: string } | null, amount: { amount: number, currency: { code: string } } }> }> | null }
    | { ledgerMovements: Array<{ kind: LedgerMovementKind, createdAt: string, entries: Array<{ book: LedgerBook | null, account: { id: string } | null, amount: { amount: number, currency: { code: string } } }> }> | null }
   | null };

export type LedgerPageQueryVariables = Exact<{
  first: number;
}>;


export type LedgerPageQuery = { transactions: { nodes: Array<
      | { ledgerMovements: Array<{ kind: LedgerMovementKind, entries: Array<{ book: LedgerBook | null, account: { id: string, currency: { code: string } } | null, amount: { amount: number } }> }> | null }
      | { ledgerMovements: Array<{ kind: LedgerMovementKind, entries: Array<{ book: LedgerBook | null, account: { id: string, currency: { code: string } } | null, amount: { amount: number } }> }> | null }
      | { ledgerMovements: Array<{ kind: LedgerMovementKind, entries: Array<{ book: LedgerBook | null, account: { id: string, currency: { code: string } } | null, amount: { amount: number } }> }> | null }
    > } | null };

export type EveryEdgeQueryVariables = Exact<{
  first: number;
}>;


export type EveryEdgeQuery = { transactions: { totalCount: number | null, nodes: Array<
      | { customer: { name: string | null } | null, timeline: Array<{ to: TransactionLifecycleStatus }> | null, account: { customer: { name: string | null } | null } | null, card: { last4: string | null, customer: { name: string | null } | null, account: { customer: { name: string | null } | null } | null } | null }
      | { customer: { name: string | null } | null, timeline: Array<{ to: TransactionLifecycleStatus }> | null, source:
          | { account:
              | { __typename: 'ExternalAccount', customer: { name: string | null } | null }
              | { __typename: 'InternalAccount', customer: { name: string | null } | null }
             | null }
          | Record<PropertyKey, never>
         | null, destination:
          | { account:
              | { __typename: 'ExternalAccount', customer: { name: string | null } | null }
              | { __typename: 'InternalAccount', customer: { name: string | null } | null }
             | null }
          | Record<PropertyKey, never>
        , agent: { name: string, customer: { name: string | null } | null } | null, scaChallenge: { purpose: string | null } | null, quote: { scaChallenge: { purpose: string | null } | null, transaction:
            | { id: string }
            | { id: string }
           | null, source:
            | { account:
                | { customer: { name: string | null } | null }
                | { customer: { name: string | null } | null }
               | null }
            | Record<PropertyKey, never>
           | null, destination:
            | { account:
                | { customer: { name: string | null } | null }
                | { customer: { name: string | null } | null }
               | null }
            | Record<PropertyKey, never>
           } | null }
      | { customer: { name: string | null } | null, timeline: Array<{ to: TransactionLifecycleStatus }> | null, source:
          | { account:
              | { __typename: 'ExternalAccount', customer: { name: string | null } | null }
              | { __typename: 'InternalAccount', customer: { name: string | null } | null }
             | null }
          | Record<PropertyKey, never>
         | null, destination:
          | { account:
              | { __typename: 'ExternalAccount', customer: { name: string | null } | null }
              | { __typename: 'InternalAccount', customer: { name: string | null } | null }
             | null }
          | Record<PropertyKey, never>
        , agent: { name: string, customer: { name: string | null } | null } | null, scaChallenge: { purpose: string | null } | null, quote: { scaChallenge: { purpose: string | null } | null, transaction:
            | { id: string }
            | { id: string }
           | null, source:
            | { account:
                | { customer: { name: string | null } | null }
                | { customer: { name: string | null } | null }
               | null }
            | Record<PropertyKey, never>
           | null, destination:
            | { account:
                | { customer: { name: string | null } | null }
                | { customer: { name: string | null } | null }
               | null }
            | Record<PropertyKey, never>
           } | null }
    > } | null };

export type EveryCustomerQueryVariables = Exact<{
  first: number;
}>;


export type EveryCustomerQuery = { customers: { totalCount: number | null, nodes: Array<{ internalAccounts: { nodes: Array<{ id: string }> } | null, externalAccounts: { nodes: Array<{ id: string }> } | null, cards: { nodes: Array<{ id: string }> } | null, agents: { nodes: Array<{ id: string }> } | null, transactions: { totalCount: number | null, nodes: Array<
          | { __typename: 'CardTransaction' }
          | { __typename: 'IncomingTransaction' }
          | { __typename: 'OutgoingTransaction' }
        > } | null }> } | null };

export type PageQueryVariables = Exact<{ [key: string]: never; }>;


export type PageQuery = { transactions: { nodes: Array<
      | { __typename: 'CardTransaction' }
      | { __typename: 'IncomingTransaction' }
      | { __typename: 'OutgoingTransaction' }
    > } | null };

export type CountedPageQueryVariables = Exact<{ [key: string]: never; }>;


export type CountedPageQuery = { transactions: { totalCount: number | null, nodes: Array<
      | { __typename: 'CardTransaction' }
      | { __typename: 'IncomingTransaction' }
      | { __typename: 'OutgoingTransaction' }
    > } | null };

export type CustomerPageQueryVariables = Exact<{ [key: string]: never; }>;


export type CustomerPageQuery = { customers: { nodes: Array<{ id: string }> } | null };

export type WithCustomerQueryVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
}>;


export type WithCustomerQuery = { transactions: { nodes: Array<
      | { customer: { name: string | null } | null }
      | { customer: { name: string | null } | null }
      | { customer: { name: string | null } | null }
    > } | null };

export type WithIdsOnlyQueryVariables = Exact<{ [key: string]: never; }>;


export type WithIdsOnlyQuery = { transactions: { nodes: Array<
      | { customerId: string, cardId: string | null, accountId: string }
      | { customerId: string, agentId: string | null, quoteId: string | null, source:
          | { accountId: string }
          | Record<PropertyKey, never>
         | null }
      | { customerId: string, agentId: string | null, quoteId: string | null, source:
          | { accountId: string }
          | Record<PropertyKey, never>
         | null }
    > } | null };

export type WithCardsQueryVariables = Exact<{ [key: string]: never; }>;


export type WithCardsQuery = { transactions: { nodes: Array<
      | { card: { last4: string | null } | null }
      | Record<PropertyKey, never>
    > } | null };

export type MyselfQueryVariables = Exact<{ [key: string]: never; }>;


export type MyselfQuery = { viewer: { subject: string } | null, apiInfo: { version: string } };

export type OneCustomerQueryVariables = Exact<{
  platformCustomerId: string;
}>;


export type OneCustomerQuery = { customer: { transactions: { totalCount: number | null } | null } | null };

export type ListsOfOneQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
}>;


export type ListsOfOneQuery = { nodes: Array<
    | { transactions: { totalCount: number | null, nodes: Array<
          | { __typename: 'CardTransaction' }
          | { __typename: 'IncomingTransaction' }
          | { __typename: 'OutgoingTransaction' }
        > } | null }
    | { transactions: { totalCount: number | null, nodes: Array<{ id: string }> } | null }
    | { transactions: { totalCount: number | null, nodes: Array<
          | { __typename: 'CardTransaction' }
          | { __typename: 'IncomingTransaction' }
          | { __typename: 'OutgoingTransaction' }
        > } | null }
    | { transactions: { totalCount: number | null, nodes: Array<
          | { __typename: 'CardTransaction' }
          | { __typename: 'IncomingTransaction' }
          | { __typename: 'OutgoingTransaction' }
        > } | null, cards: { nodes: Array<{ last4: string | null }> } | null }
    | Record<PropertyKey, never>
   | null> | null };

export type ThingsQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
}>;


export type ThingsQuery = { nodes: Array<
    | { __typename: 'Agent' }
    | { __typename: 'AgentAction' }
    | { __typename: 'ApiToken' }
    | { __typename: 'AuthMethod' }
    | { __typename: 'BeneficialOwner' }
    | { __typename: 'BulkJob' }
    | { __typename: 'Card' }
    | { __typename: 'CardTransaction' }
    | { __typename: 'Customer' }
    | { __typename: 'DelegatedKey' }
    | { __typename: 'Document' }
    | { __typename: 'Event' }
    | { __typename: 'ExternalAccount' }
    | { __typename: 'IncomingTransaction' }
    | { __typename: 'InternalAccount' }
    | { __typename: 'Invitation' }
    | { __typename: 'OutgoingTransaction' }
    | { __typename: 'PlatformConfig' }
    | { __typename: 'Quote' }
    | { __typename: 'ScaChallenge' }
    | { __typename: 'Session' }
    | { __typename: 'Stablecoin' }
    | { __typename: 'StablecoinOperation' }
    | { __typename: 'StablecoinProviderAccount' }
    | { __typename: 'StablecoinQuote' }
    | { __typename: 'TwoFactorReset' }
    | { __typename: 'UmaProvider' }
    | { __typename: 'Verification' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'WebhookEndpoint' }
   | null> | null };

export type StatisticsQueryVariables = Exact<{
  startDate: string;
  endDate: string;
  interval?: StatisticsInterval | null | undefined;
  groupBy?: Array<StatisticsDimension> | StatisticsDimension;
  filter?: TransactionStatisticsFilter | null | undefined;
}>;


export type StatisticsQuery = { transactionStatistics: { buckets: Array<{ start: string | null, type: TransactionItemType | null, direction: TransactionDirection | null, status: TransactionLifecycleStatus | null, count: number, currency: { code: string } | null, amount: { decimal: string } | null }>, totals: Array<{ start: string | null, type: TransactionItemType | null, direction: TransactionDirection | null, status: TransactionLifecycleStatus | null, count: number, currency: { code: string } | null, amount: { decimal: string } | null }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const CustomersWithTransactionsDocument = new TypedDocumentString(`
    query CustomersWithTransactions {
  customers(first: 3, sortOrder: ASC) {
    nodes {
      platformCustomerId
      transactions(first: 2, sortOrder: ASC) {
        totalCount
        nodes {
          ... on TransactionNode {
            platformCustomerId
            createdAt
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:c07b2da98b9274a70e537676c62a59013e68d355232e5bbca61ba815b400ed59"}) as unknown as TypedDocumentString<CustomersWithTransactionsQuery, CustomersWithTransactionsQueryVariables>;
export const LedgerDocument = new TypedDocumentString(`
    query Ledger($id: ID!) {
  transaction(id: $id) {
    ... on TransactionNode {
      ledgerMovements {
        kind
        createdAt
        entries {
          account {
            id
          }
          book
          amount {
            amount
            currency {
              code
            }
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:a60de3804fb9c24193c60cb86f3862dc126e21f14ec8c95cb646f38742fcaefe"}) as unknown as TypedDocumentString<LedgerQuery, LedgerQueryVariables>;
export const LedgerPageDocument = new TypedDocumentString(`
    query LedgerPage($first: Int!) {
  transactions(first: $first) {
    nodes {
      ledgerMovements {
        kind
        entries {
          account {
            id
            currency {
              code
            }
          }
          book
          amount {
            amount
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:ee3f2361f5f0fd403607357f0c235feb1ebb1a2ec86c3602c79f742ae38d3c98"}) as unknown as TypedDocumentString<LedgerPageQuery, LedgerPageQueryVariables>;
export const EveryEdgeDocument = new TypedDocumentString(`
    query EveryEdge($first: Int!) {
  transactions(first: $first) {
    totalCount
    nodes {
      ... on TransactionNode {
        customer {
          name
        }
        timeline {
          to
        }
      }
      ... on PaymentTransaction {
        source {
          ... on AccountSource {
            account {
              __typename
              customer {
                name
              }
            }
          }
        }
        destination {
          ... on AccountDestination {
            account {
              __typename
              customer {
                name
              }
            }
          }
        }
        agent {
          name
          customer {
            name
          }
        }
        scaChallenge {
          purpose
        }
        quote {
          scaChallenge {
            purpose
          }
          transaction {
            id
          }
          source {
            ... on AccountSource {
              account {
                customer {
                  name
                }
              }
            }
          }
          destination {
            ... on AccountDestination {
              account {
                customer {
                  name
                }
              }
            }
          }
        }
      }
      ... on CardTransaction {
        account {
          customer {
            name
          }
        }
        card {
          last4
          customer {
            name
          }
          account {
            customer {
              name
            }
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:ccc3e2b8da01e9e231db01ef77b16134168c99544486df99bd3bc781620c65d4"}) as unknown as TypedDocumentString<EveryEdgeQuery, EveryEdgeQueryVariables>;
export const EveryCustomerDocument = new TypedDocumentString(`
    query EveryCustomer($first: Int!) {
  customers(first: $first) {
    totalCount
    nodes {
      internalAccounts(first: 5) {
        nodes {
          id
        }
      }
      externalAccounts(first: 5) {
        nodes {
          id
        }
      }
      cards(first: 5) {
        nodes {
          id
        }
      }
      agents(first: 5) {
        nodes {
          id
        }
      }
      transactions(first: 3) {
        totalCount
        nodes {
          __typename
        }
      }
    }
  }
}
    `, {"hash":"sha256:5142c409a7aa747713fc0351689faa4df2239c3915c16889c9d52c09b65c58fc"}) as unknown as TypedDocumentString<EveryCustomerQuery, EveryCustomerQueryVariables>;
export const PageDocument = new TypedDocumentString(`
    query Page {
  transactions {
    nodes {
      __typename
    }
  }
}
    `, {"hash":"sha256:2487511083a0eaa201ce3b0e65f3189145a6606ca8340b9f9b8e8a6f46e39e94"}) as unknown as TypedDocumentString<PageQuery, PageQueryVariables>;
export const CountedPageDocument = new TypedDocumentString(`
    query CountedPage {
  transactions {
    totalCount
    nodes {
      __typename
    }
  }
}
    `, {"hash":"sha256:1610450ceb378c2e6b47b58100cea0e328ba4d57f4f8f6c5cf373bc4f6f3c3d3"}) as unknown as TypedDocumentString<CountedPageQuery, CountedPageQueryVariables>;
export const CustomerPageDocument = new TypedDocumentString(`
    query CustomerPage {
  customers {
    nodes {
      id
    }
  }
}
    `, {"hash":"sha256:baedc34da8620b7b981b8bb91e91290e7c16a67dddafd48fda74fe0a25e804db"}) as unknown as TypedDocumentString<CustomerPageQuery, CustomerPageQueryVariables>;
export const WithCustomerDocument = new TypedDocumentString(`
    query WithCustomer($filter: TransactionFilter) {
  transactions(filter: $filter) {
    nodes {
      ... on TransactionNode {
        customer {
          name
        }
      }
    }
  }
}
    `, {"hash":"sha256:6d99f7cb62e9f6580aeb7e4ff7ffc089005a9d175fe4fff545ea73171b0183c1"}) as unknown as TypedDocumentString<WithCustomerQuery, WithCustomerQueryVariables>;
export const WithIdsOnlyDocument = new TypedDocumentString(`
    query WithIdsOnly {
  transactions {
    nodes {
      ... on TransactionNode {
        customerId
      }
      ... on PaymentTransaction {
        agentId
        quoteId
        source {
          ... on AccountSource {
            accountId
          }
        }
      }
      ... on CardTransaction {
        cardId
        accountId
      }
    }
  }
}
    `, {"hash":"sha256:fac3e9cd9e05591ad141bad63e4f702f1f0fd3a68698c55d4bdedec6de5c6991"}) as unknown as TypedDocumentString<WithIdsOnlyQuery, WithIdsOnlyQueryVariables>;
export const WithCardsDocument = new TypedDocumentString(`
    query WithCards {
  transactions {
    nodes {
      ... on CardTransaction {
        card {
          last4
        }
      }
    }
  }
}
    `, {"hash":"sha256:27e8456e6d3fb51e2b19d010e262aa68c7c13d75613f54f432b7318b3218386f"}) as unknown as TypedDocumentString<WithCardsQuery, WithCardsQueryVariables>;
export const MyselfDocument = new TypedDocumentString(`
    query Myself {
  viewer {
    subject
  }
  apiInfo {
    version
  }
}
    `, {"hash":"sha256:7243653bda10b5e64a1a17728f2f63188f3e817aa0f012a10136060163306423"}) as unknown as TypedDocumentString<MyselfQuery, MyselfQueryVariables>;
export const OneCustomerDocument = new TypedDocumentString(`
    query OneCustomer($platformCustomerId: String!) {
  customer(by: {platformCustomerId: $platformCustomerId}) {
    transactions {
      totalCount
    }
  }
}
    `, {"hash":"sha256:321c20b7934abd24d9446275b77594d8c41bcb96e3a0d05834c570f4e9de154d"}) as unknown as TypedDocumentString<OneCustomerQuery, OneCustomerQueryVariables>;
export const ListsOfOneDocument = new TypedDocumentString(`
    query ListsOfOne($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Account {
      transactions {
        totalCount
        nodes {
          __typename
        }
      }
    }
    ... on InternalAccount {
      cards {
        nodes {
          last4
        }
      }
    }
    ... on Agent {
      transactions {
        totalCount
        nodes {
          __typename
        }
      }
    }
    ... on Card {
      transactions {
        totalCount
        nodes {
          id
        }
      }
    }
  }
}
    `, {"hash":"sha256:634748114da5b65bb0d2aaf512665a8d92f5e0012d68608a6cb4c94c8cacfcba"}) as unknown as TypedDocumentString<ListsOfOneQuery, ListsOfOneQueryVariables>;
export const ThingsDocument = new TypedDocumentString(`
    query Things($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
  }
}
    `, {"hash":"sha256:2a4aa3138fa5cd4be798082eaea9ac9702b3ccf827fa313366ed9ef89f935ad6"}) as unknown as TypedDocumentString<ThingsQuery, ThingsQueryVariables>;
export const StatisticsDocument = new TypedDocumentString(`
    query Statistics($startDate: Date!, $endDate: Date!, $interval: StatisticsInterval, $groupBy: [StatisticsDimension!]! = [], $filter: TransactionStatisticsFilter) {
  transactionStatistics(
    startDate: $startDate
    endDate: $endDate
    interval: $interval
    groupBy: $groupBy
    filter: $filter
  ) {
    buckets {
      start
      type
      direction
      status
      currency {
        code
      }
      count
      amount {
        decimal
      }
    }
    totals {
      start
      type
      direction
      status
      currency {
        code
      }
      count
      amount {
        decimal
      }
    }
  }
}
    `, {"hash":"sha256:0f40991d8fb14c6358c8093f2fd648677c048d4d21d6fb7085662d89fa8e32ac"}) as unknown as TypedDocumentString<StatisticsQuery, StatisticsQueryVariables>;