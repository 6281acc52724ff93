/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** All given conditions must hold. */
export type AgentApprovalFilter = {
  /** Of this agent. */
  agentId?: string | number | null | undefined;
  /** For this customer. */
  customerId?: string | number | null | undefined;
  /** Created at this time or earlier. Inclusive. */
  endDate?: string | null | undefined;
  /** Created at this time or later. Inclusive. */
  startDate?: string | null | undefined;
};

/** All given conditions must hold. */
export type AgentFilter = {
  /** Created at this time or later. Inclusive. */
  createdAfter?: string | null | undefined;
  /** Created at this time or earlier. Inclusive. */
  createdBefore?: string | null | undefined;
  /** Of this customer. */
  customerId?: string | number | null | undefined;
  /** Connected, or not. */
  isConnected?: boolean | null | undefined;
  /** Paused, or not. */
  isPaused?: boolean | null | undefined;
  /** Changed at this time or later. Inclusive. */
  updatedAfter?: string | null | undefined;
  /** Changed at this time or earlier. Inclusive. */
  updatedBefore?: string | null | undefined;
};

/** All given conditions must hold. */
export type CustomerFilter = {
  /** Persons or businesses only. */
  customerType?: CustomerType | null | undefined;
  /** Matches the start of the name, email or platform customer id, ignoring case. */
  search?: string | null | undefined;
  /** Exact, ignoring case. */
  umaAddress?: string | null | undefined;
};

/** Kind of customer. */
export type CustomerType =
  /** A company or other organization. */
  | 'BUSINESS'
  /** A person. */
  | 'INDIVIDUAL';

/** Order by creation time, then id. */
export type SortOrder =
  /** Oldest first. */
  | 'ASC'
  /** Newest first. */
  | 'DESC';

/** `CREDIT`: money is pushed to the receiver. `DEBIT`: money is taken from the payer's account. Independent of the type: an inbound ACH pull is `INCOMING` with `DEBIT`. */
export type TransactionDirection =
  /** Money is pushed to the receiver. */
  | 'CREDIT'
  /** Money is taken from the payer's account. */
  | 'DEBIT';

/** All given conditions must hold. */
export type TransactionFilter = {
  /** Account id or UMA address. Matches the sender or the receiver. */
  accountIdentifier?: string | null | undefined;
  /** Extension: only those that this agent initiated. */
  agentId?: string | number | null | undefined;
  /** System customer id. Pass the platform id for transactions made on behalf of the platform. */
  customerId?: string | number | null | undefined;
  /** Extension: with this direction. */
  direction?: TransactionDirection | null | undefined;
  /** Created at this time or earlier. Inclusive. */
  endDate?: string | null | undefined;
  /** Extension: any of these item types, cards included. */
  itemTypes?: Array<TransactionItemType> | null | undefined;
  /** Customer id in the platform's own system, exact. */
  platformCustomerId?: string | null | undefined;
  /** Account id or UMA address of the destination. */
  receiverAccountIdentifier?: string | null | undefined;
  /** Reference of the reconciliation or payment instructions, exact. */
  reference?: string | null | undefined;
  /** Account id or UMA address of the source. */
  senderAccountIdentifier?: string | null | undefined;
  /** Created at this time or later. Inclusive. */
  startDate?: string | null | undefined;
  /** In this state. `REFUNDED` also finds card transactions. */
  status?: TransactionStatus | null | undefined;
  /** Extension: any of these states of any type. */
  statuses?: Array<TransactionLifecycleStatus> | null | undefined;
  /** Of this type, which leaves card transactions out. */
  type?: TransactionType | null | undefined;
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
  /** Authorization approved and hold placed on the funding source. No clearing yet. */
  | 'AUTHORIZED'
  /** Cross-border payment received, converted and sent to the off-ramp network. */
  | 'COMPLETED'
  /** Initial lookup has been created. */
  | 'CREATED'
  /** Settled on the card network, but the pull from the funding source failed. */
  | 'EXCEPTION'
  /** Quote has expired. */
  | 'EXPIRED'
  /** An error occurred during the payment. */
  | 'FAILED'
  /** At least one clearing posted and more expected. */
  | 'PARTIALLY_SETTLED'
  /** Quote has been created. */
  | 'PENDING'
  /** Awaiting Strong Customer Authentication. Only for customers in an SCA region: authorize `PaymentTransaction.scaChallenge`. */
  | 'PENDING_AUTHORIZATION'
  /** Funding received and payment initiated. */
  | 'PROCESSING'
  /** Refunded: `TransactionStatus` or `CardTransactionStatus`. */
  | 'REFUNDED'
  /** Receiving institution or wallet rejected the payment. It has been refunded. */
  | 'REJECTED'
  /** All clearings posted. Closed against the funding source. */
  | 'SETTLED';

/** State of a payment transaction. */
export type TransactionStatus =
  /** Cross-border payment received, converted and sent to the off-ramp network. */
  | 'COMPLETED'
  /** Initial lookup has been created. */
  | 'CREATED'
  /** Quote has expired. */
  | 'EXPIRED'
  /** An error occurred during the payment. */
  | 'FAILED'
  /** Quote has been created. */
  | 'PENDING'
  /** Awaiting Strong Customer Authentication. Only for customers in an SCA region: authorize `PaymentTransaction.scaChallenge`. */
  | 'PENDING_AUTHORIZATION'
  /** Funding received and payment initiated. */
  | 'PROCESSING'
  /** Payment could not complete and was refunded. */
  | 'REFUNDED'
  /** Receiving institution or wallet rejected the payment. It has been refunded. */
  | 'REJECTED';

/** Type of a payment transaction, and the values that `TransactionFilter.type` takes. */
export type TransactionType =
  /** Money received by the customer. */
  | 'INCOMING'
  /** Money sent by the customer. */
  | 'OUTGOING';

/** An enum describing what kind of type a given `__Type` is. */
export type __TypeKind =
  /** Indicates this type is a scalar. */
  | 'SCALAR'
  /** Indicates this type is an object. `fields` and `interfaces` are valid fields. */
  | 'OBJECT'
  /** Indicates this type is an interface. `fields`, `interfaces`, and `possibleTypes` are valid fields. */
  | 'INTERFACE'
  /** Indicates this type is a union. `possibleTypes` is a valid field. */
  | 'UNION'
  /** Indicates this type is an enum. `enumValues` is a valid field. */
  | 'ENUM'
  /** Indicates this type is an input object. `inputFields` is a valid field. */
  | 'INPUT_OBJECT'
  /** Indicates this type is a list. `ofType` is a valid field. */
  | 'LIST'
  /** Indicates this type is a non-null. `ofType` is a valid field. */
  | 'NON_NULL';

export type CustomersWithTransactionsQueryVariables = Exact<{ [key: string]: never; }>;


export type CustomersWithTransactionsQuery = { customers: { nodes: Array<{ platformCustomerId: string, transactions: { totalCount: number | null, nodes: Array<
          | { platformCustomerId: string, createdAt: string }
          | { platformCustomerId: string, createdAt: string }
          | { platformCustomerId: string, createdAt: string }
        > } | null }> } | null };

export type ConnectionFieldsQueryVariables = Exact<{ [key: string]: never; }>;


export type ConnectionFieldsQuery = { __schema: { types: Array<{ kind: __TypeKind, name: string | null, fields: Array<{ name: string, type: { name: string | null, ofType: { name: string | null } | null } }> | null }> } };

export type AgentPagesQueryVariables = Exact<{
  filter?: AgentFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  sortOrder?: SortOrder | null | undefined;
}>;


export type AgentPagesQuery = { agents: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string }>, edges: Array<{ cursor: string, node: { id: string } }> } | null };

export type ApprovalPageFragment = { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string }>, edges: Array<{ cursor: string, node: { id: string } }> };

export type ApprovalPagesQueryVariables = Exact<{
  filter?: AgentApprovalFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  sortOrder?: SortOrder | null | undefined;
}>;


export type ApprovalPagesQuery = { agentApprovals: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string }>, edges: Array<{ cursor: string, node: { id: string } }> } | null };

export type ApprovalPagesOfParentsQueryVariables = Exact<{
  parents: Array<string | number> | string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  sortOrder?: SortOrder | null | undefined;
}>;


export type ApprovalPagesOfParentsQuery = { nodes: Array<
    | { approvals: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string }>, edges: Array<{ cursor: string, node: { id: string } }> } | null }
    | { agentApprovals: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string }>, edges: Array<{ cursor: string, node: { id: string } }> } | null }
    | Record<PropertyKey, never>
   | null> | null };

export type TransactionPageFragment = { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<
    | { id: string }
    | { id: string }
    | { id: string }
  >, edges: Array<{ cursor: string, node:
      | { id: string }
      | { id: string }
      | { id: string }
     }> };

export type TransactionPagesQueryVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  sortOrder?: SortOrder | null | undefined;
}>;


export type TransactionPagesQuery = { transactions: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<
      | { id: string }
      | { id: string }
      | { id: string }
    >, edges: Array<{ cursor: string, node:
        | { id: string }
        | { id: string }
        | { id: string }
       }> } | null };

export type CustomerPagesQueryVariables = Exact<{
  filter?: CustomerFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  sortOrder?: SortOrder | null | undefined;
}>;


export type CustomerPagesQuery = { customers: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string }>, edges: Array<{ cursor: string, node: { id: string } }> } | null };

export type PagesOfParentsQueryVariables = Exact<{
  parents: Array<string | number> | string | number;
  filter?: TransactionFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  sortOrder?: SortOrder | null | undefined;
}>;


export type PagesOfParentsQuery = { nodes: Array<
    | { transactions: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<
          | { id: string }
          | { id: string }
          | { id: string }
        >, edges: Array<{ cursor: string, node:
            | { id: string }
            | { id: string }
            | { id: string }
           }> } | null }
    | { transactions: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string }>, edges: Array<{ cursor: string, node: { id: string } }> } | null }
    | { transactions: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<
          | { id: string }
          | { id: string }
          | { id: string }
        >, edges: Array<{ cursor: string, node:
            | { id: string }
            | { id: string }
            | { id: string }
           }> } | null }
    | { transactions: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<
          | { id: string }
          | { id: string }
          | { id: string }
        >, edges: Array<{ cursor: string, node:
            | { id: string }
            | { id: string }
            | { id: string }
           }> } | null }
    | { transactions: { totalCount: number | null, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<
          | { id: string }
          | { id: string }
          | { id: string }
        >, edges: Array<{ cursor: string, node:
            | { id: string }
            | { id: string }
            | { id: string }
           }> } | null }
    | Record<PropertyKey, never>
   | null> | null };

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
        , agent: { name: string, customer: { name: string | null } | null } | null, scaChallenge: { purpose: string } | null, quote: { scaChallenge: { purpose: string } | null, transaction:
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
        , agent: { name: string, customer: { name: string | null } | null } | null, scaChallenge: { purpose: string } | null, quote: { scaChallenge: { purpose: string } | null, transaction:
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


export type EveryCustomerQuery = { customers: { totalCount: number | null, nodes: Array<{ internalAccounts: Array<{ id: string }> | null, externalAccounts: Array<{ id: string }> | null, cards: Array<{ id: string }> | null, agents: Array<{ id: string }> | null, transactions: { totalCount: number | null, nodes: Array<
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

export type WithCustomerQueryVariables = Exact<{ [key: string]: never; }>;


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
        > } | null, cards: Array<{ last4: string | null }> | null }
    | Record<PropertyKey, never>
   | null> | null };

export type ThingsQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
}>;


export type ThingsQuery = { nodes: Array<
    | { __typename: 'Agent' }
    | { __typename: 'AgentAction' }
    | { __typename: 'AuthMethod' }
    | { __typename: 'Card' }
    | { __typename: 'CardTransaction' }
    | { __typename: 'Customer' }
    | { __typename: 'ExternalAccount' }
    | { __typename: 'IncomingTransaction' }
    | { __typename: 'InternalAccount' }
    | { __typename: 'OutgoingTransaction' }
    | { __typename: 'Quote' }
    | { __typename: 'ScaChallenge' }
    | { __typename: 'Session' }
   | null> | null };

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
export const ApprovalPageFragmentDoc = new TypedDocumentString(`
    fragment ApprovalPage on AgentActionConnection {
  totalCount
  pageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
  nodes {
    id
  }
  edges {
    cursor
    node {
      id
    }
  }
}
    `, {"fragmentName":"ApprovalPage"}) as unknown as TypedDocumentString<ApprovalPageFragment, unknown>;
export const TransactionPageFragmentDoc = new TypedDocumentString(`
    fragment TransactionPage on TransactionConnection {
  totalCount
  pageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
  nodes {
    ... on TransactionNode {
      id
    }
  }
  edges {
    cursor
    node {
      ... on TransactionNode {
        id
      }
    }
  }
}
    `, {"fragmentName":"TransactionPage"}) as unknown as TypedDocumentString<TransactionPageFragment, unknown>;
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
export const ConnectionFieldsDocument = new TypedDocumentString(`
    query ConnectionFields {
  __schema {
    types {
      kind
      name
      fields {
        name
        type {
          name
          ofType {
            name
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:2d03b3743dc4f9d276e733514e43a6b44c0b01e9a33817061777c7df952d57ae"}) as unknown as TypedDocumentString<ConnectionFieldsQuery, ConnectionFieldsQueryVariables>;
export const AgentPagesDocument = new TypedDocumentString(`
    query AgentPages($filter: AgentFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
  agents(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
    sortOrder: $sortOrder
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      id
    }
    edges {
      cursor
      node {
        id
      }
    }
  }
}
    `, {"hash":"sha256:af6b673c6114f28fe5bc02388f2bc8942b1f5f6044fb6ef377ee4e41dfc63556"}) as unknown as TypedDocumentString<AgentPagesQuery, AgentPagesQueryVariables>;
export const ApprovalPagesDocument = new TypedDocumentString(`
    query ApprovalPages($filter: AgentApprovalFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
  agentApprovals(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
    sortOrder: $sortOrder
  ) {
    ...ApprovalPage
  }
}
    fragment ApprovalPage on AgentActionConnection {
  totalCount
  pageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
  nodes {
    id
  }
  edges {
    cursor
    node {
      id
    }
  }
}`, {"hash":"sha256:c5659c4012a43487a344998fdda11b6b9016072abfe30a381b38260a5e494d9a"}) as unknown as TypedDocumentString<ApprovalPagesQuery, ApprovalPagesQueryVariables>;
export const ApprovalPagesOfParentsDocument = new TypedDocumentString(`
    query ApprovalPagesOfParents($parents: [ID!]!, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
  nodes(ids: $parents) {
    ... on Agent {
      approvals(
        first: $first
        after: $after
        last: $last
        before: $before
        sortOrder: $sortOrder
      ) {
        ...ApprovalPage
      }
    }
    ... on Customer {
      agentApprovals(
        first: $first
        after: $after
        last: $last
        before: $before
        sortOrder: $sortOrder
      ) {
        ...ApprovalPage
      }
    }
  }
}
    fragment ApprovalPage on AgentActionConnection {
  totalCount
  pageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
  nodes {
    id
  }
  edges {
    cursor
    node {
      id
    }
  }
}`, {"hash":"sha256:768cb841d110ca1539b13418ce4595e98657a45d9f09583e23251c4a243ebf45"}) as unknown as TypedDocumentString<ApprovalPagesOfParentsQuery, ApprovalPagesOfParentsQueryVariables>;
export const TransactionPagesDocument = new TypedDocumentString(`
    query TransactionPages($filter: TransactionFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
  transactions(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
    sortOrder: $sortOrder
  ) {
    ...TransactionPage
  }
}
    fragment TransactionPage on TransactionConnection {
  totalCount
  pageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
  nodes {
    ... on TransactionNode {
      id
    }
  }
  edges {
    cursor
    node {
      ... on TransactionNode {
        id
      }
    }
  }
}`, {"hash":"sha256:ef0c5c4f1b6bca5f8d271d45fbf8ea07df26937a68cf8c04ddd41206e20068ee"}) as unknown as TypedDocumentString<TransactionPagesQuery, TransactionPagesQueryVariables>;
export const CustomerPagesDocument = new TypedDocumentString(`
    query CustomerPages($filter: CustomerFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
  customers(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
    sortOrder: $sortOrder
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      id
    }
    edges {
      cursor
      node {
        id
      }
    }
  }
}
    `, {"hash":"sha256:efdd0dd6bb8afb8400ab64a79947ff14c6751b826a2f895137cc1afe65615cf0"}) as unknown as TypedDocumentString<CustomerPagesQuery, CustomerPagesQueryVariables>;
export const PagesOfParentsDocument = new TypedDocumentString(`
    query PagesOfParents($parents: [ID!]!, $filter: TransactionFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
  nodes(ids: $parents) {
    ... on Customer {
      transactions(
        filter: $filter
        first: $first
        after: $after
        last: $last
        before: $before
        sortOrder: $sortOrder
      ) {
        ...TransactionPage
      }
    }
    ... on InternalAccount {
      transactions(
        filter: $filter
        first: $first
        after: $after
        last: $last
        before: $before
        sortOrder: $sortOrder
      ) {
        ...TransactionPage
      }
    }
    ... on ExternalAccount {
      transactions(
        filter: $filter
        first: $first
        after: $after
        last: $last
        before: $before
        sortOrder: $sortOrder
      ) {
        ...TransactionPage
      }
    }
    ... on Agent {
      transactions(
        filter: $filter
        first: $first
        after: $after
        last: $last
        before: $before
        sortOrder: $sortOrder
      ) {
        ...TransactionPage
      }
    }
    ... on Card {
      transactions(
        first: $first
        after: $after
        last: $last
        before: $before
        sortOrder: $sortOrder
      ) {
        totalCount
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
        nodes {
          id
        }
        edges {
          cursor
          node {
            id
          }
        }
      }
    }
  }
}
    fragment TransactionPage on TransactionConnection {
  totalCount
  pageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
  nodes {
    ... on TransactionNode {
      id
    }
  }
  edges {
    cursor
    node {
      ... on TransactionNode {
        id
      }
    }
  }
}`, {"hash":"sha256:708e67cc41e821bb5de90b1701264589445741b7b6466843c7ed2832e3a303e5"}) as unknown as TypedDocumentString<PagesOfParentsQuery, PagesOfParentsQueryVariables>;
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
      internalAccounts {
        id
      }
      externalAccounts {
        id
      }
      cards {
        id
      }
      agents {
        id
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
    `, {"hash":"sha256:615420e6a1e82bc151855ac4aa1d827f90f78023e8d683446a3b7f79ef9ea85c"}) as unknown as TypedDocumentString<EveryCustomerQuery, EveryCustomerQueryVariables>;
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
    query WithCustomer {
  transactions {
    nodes {
      ... on TransactionNode {
        customer {
          name
        }
      }
    }
  }
}
    `, {"hash":"sha256:eb4a8407bccc1a3373a09b96d8faea7d4f275f8bd4d3c22e1ca0bf81d4015c35"}) as unknown as TypedDocumentString<WithCustomerQuery, WithCustomerQueryVariables>;
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
        last4
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
    `, {"hash":"sha256:c6caf06c87f6e08ba3aa133358b11340ac4515926c1341f54ebdec298a54ca61"}) as unknown as TypedDocumentString<ListsOfOneQuery, ListsOfOneQueryVariables>;
export const ThingsDocument = new TypedDocumentString(`
    query Things($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
  }
}
    `, {"hash":"sha256:2a4aa3138fa5cd4be798082eaea9ac9702b3ccf827fa313366ed9ef89f935ad6"}) as unknown as TypedDocumentString<ThingsQuery, ThingsQueryVariables>;