/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query CustomersWithTransactions {\n    customers(first: 3, sortOrder: ASC) {\n      nodes { platformCustomerId transactions(first: 2, sortOrder: ASC) { totalCount nodes { ... on TransactionNode { platformCustomerId createdAt } } } }\n    }\n  }\n": typeof types.CustomersWithTransactionsDocument,
    "\n  query Ledger($id: ID!) {\n    transaction(id: $id) {\n      ... on TransactionNode {\n        ledgerMovements { kind createdAt entries { account { id } book amount { amount currency { code } } } }\n      }\n    }\n  }\n": typeof types.LedgerDocument,
    "\n  query LedgerPage($first: Int!) {\n    transactions(first: $first) {\n      nodes { ledgerMovements { kind entries { account { id currency { code } } book amount { amount } } } }\n    }\n  }\n": typeof types.LedgerPageDocument,
    "\n  query EveryEdge($first: Int!) {\n    transactions(first: $first) {\n      totalCount\n      nodes {\n        ... on TransactionNode {\n          customer { name }\n          timeline { to }\n        }\n        ... on PaymentTransaction {\n          source { ... on AccountSource { account { __typename customer { name } } } }\n          destination { ... on AccountDestination { account { __typename customer { name } } } }\n          agent { name customer { name } }\n          scaChallenge { purpose }\n          quote {\n            scaChallenge { purpose }\n            transaction { id }\n            source { ... on AccountSource { account { customer { name } } } }\n            destination { ... on AccountDestination { account { customer { name } } } }\n          }\n        }\n        ... on CardTransaction {\n          account { customer { name } }\n          card { last4 customer { name } account { customer { name } } }\n        }\n      }\n    }\n  }\n": typeof types.EveryEdgeDocument,
    "\n  query EveryCustomer($first: Int!) {\n    customers(first: $first) {\n      totalCount\n      nodes {\n        internalAccounts(first: 5) { nodes { id } }\n        externalAccounts(first: 5) { nodes { id } }\n        cards(first: 5) { nodes { id } }\n        agents(first: 5) { nodes { id } }\n        transactions(first: 3) { totalCount nodes { __typename } }\n      }\n    }\n  }\n": typeof types.EveryCustomerDocument,
    "query Page { transactions { nodes { __typename } } }": typeof types.PageDocument,
    "query CountedPage { transactions { totalCount nodes { __typename } } }": typeof types.CountedPageDocument,
    "query CustomerPage { customers { nodes { id } } }": typeof types.CustomerPageDocument,
    "\n  query WithCustomer($filter: TransactionFilter) {\n    transactions(filter: $filter) { nodes { ... on TransactionNode { customer { name } } } }\n  }\n": typeof types.WithCustomerDocument,
    "\n  query WithIdsOnly {\n    transactions {\n      nodes {\n        ... on TransactionNode { customerId }\n        ... on PaymentTransaction { agentId quoteId source { ... on AccountSource { accountId } } }\n        ... on CardTransaction { cardId accountId }\n      }\n    }\n  }\n": typeof types.WithIdsOnlyDocument,
    "\n  query WithCards { transactions { nodes { ... on CardTransaction { card { last4 } } } } }\n": typeof types.WithCardsDocument,
    "query Myself { viewer { subject } apiInfo { version } }": typeof types.MyselfDocument,
    "\n  query OneCustomer($platformCustomerId: String!) {\n    customer(by: { platformCustomerId: $platformCustomerId }) { transactions { totalCount } }\n  }\n": typeof types.OneCustomerDocument,
    "\n  query ListsOfOne($ids: [ID!]!) {\n    nodes(ids: $ids) {\n      ... on Account { transactions { totalCount nodes { __typename } } }\n      ... on InternalAccount { cards { nodes { last4 } } }\n      ... on Agent { transactions { totalCount nodes { __typename } } }\n      ... on Card { transactions { totalCount nodes { id } } }\n    }\n  }\n": typeof types.ListsOfOneDocument,
    "query Things($ids: [ID!]!) { nodes(ids: $ids) { __typename } }": typeof types.ThingsDocument,
    "\n  query Statistics($startDate: Date!, $endDate: Date!, $interval: StatisticsInterval, $groupBy: [StatisticsDimension!]! = [], $filter: TransactionStatisticsFilter) {\n    transactionStatistics(startDate: $startDate, endDate: $endDate, interval: $interval, groupBy: $groupBy, filter: $filter) {\n      buckets { start type direction status currency { code } count amount { decimal } }\n      totals { start type direction status currency { code } count amount { decimal } }\n    }\n  }\n": typeof types.StatisticsDocument,
};
const documents: Documents = {
    "\n  query CustomersWithTransactions {\n    customers(first: 3, sortOrder: ASC) {\n      nodes { platformCustomerId transactions(first: 2, sortOrder: ASC) { totalCount nodes { ... on TransactionNode { platformCustomerId createdAt } } } }\n    }\n  }\n": types.CustomersWithTransactionsDocument,
    "\n  query Ledger($id: ID!) {\n    transaction(id: $id) {\n      ... on TransactionNode {\n        ledgerMovements { kind createdAt entries { account { id } book amount { amount currency { code } } } }\n      }\n    }\n  }\n": types.LedgerDocument,
    "\n  query LedgerPage($first: Int!) {\n    transactions(first: $first) {\n      nodes { ledgerMovements { kind entries { account { id currency { code } } book amount { amount } } } }\n    }\n  }\n": types.LedgerPageDocument,
    "\n  query EveryEdge($first: Int!) {\n    transactions(first: $first) {\n      totalCount\n      nodes {\n        ... on TransactionNode {\n          customer { name }\n          timeline { to }\n        }\n        ... on PaymentTransaction {\n          source { ... on AccountSource { account { __typename customer { name } } } }\n          destination { ... on AccountDestination { account { __typename customer { name } } } }\n          agent { name customer { name } }\n          scaChallenge { purpose }\n          quote {\n            scaChallenge { purpose }\n            transaction { id }\n            source { ... on AccountSource { account { customer { name } } } }\n            destination { ... on AccountDestination { account { customer { name } } } }\n          }\n        }\n        ... on CardTransaction {\n          account { customer { name } }\n          card { last4 customer { name } account { customer { name } } }\n        }\n      }\n    }\n  }\n": types.EveryEdgeDocument,
    "\n  query EveryCustomer($first: Int!) {\n    customers(first: $first) {\n      totalCount\n      nodes {\n        internalAccounts(first: 5) { nodes { id } }\n        externalAccounts(first: 5) { nodes { id } }\n        cards(first: 5) { nodes { id } }\n        agents(first: 5) { nodes { id } }\n        transactions(first: 3) { totalCount nodes { __typename } }\n      }\n    }\n  }\n": types.EveryCustomerDocument,
    "query Page { transactions { nodes { __typename } } }": types.PageDocument,
    "query CountedPage { transactions { totalCount nodes { __typename } } }": types.CountedPageDocument,
    "query CustomerPage { customers { nodes { id } } }": types.CustomerPageDocument,
    "\n  query WithCustomer($filter: TransactionFilter) {\n    transactions(filter: $filter) { nodes { ... on TransactionNode { customer { name } } } }\n  }\n": types.WithCustomerDocument,
    "\n  query WithIdsOnly {\n    transactions {\n      nodes {\n        ... on TransactionNode { customerId }\n        ... on PaymentTransaction { agentId quoteId source { ... on AccountSource { accountId } } }\n        ... on CardTransaction { cardId accountId }\n      }\n    }\n  }\n": types.WithIdsOnlyDocument,
    "\n  query WithCards { transactions { nodes { ... on CardTransaction { card { last4 } } } } }\n": types.WithCardsDocument,
    "query Myself { viewer { subject } apiInfo { version } }": types.MyselfDocument,
    "\n  query OneCustomer($platformCustomerId: String!) {\n    customer(by: { platformCustomerId: $platformCustomerId }) { transactions { totalCount } }\n  }\n": types.OneCustomerDocument,
    "\n  query ListsOfOne($ids: [ID!]!) {\n    nodes(ids: $ids) {\n      ... on Account { transactions { totalCount nodes { __typename } } }\n      ... on InternalAccount { cards { nodes { last4 } } }\n      ... on Agent { transactions { totalCount nodes { __typename } } }\n      ... on Card { transactions { totalCount nodes { id } } }\n    }\n  }\n": types.ListsOfOneDocument,
    "query Things($ids: [ID!]!) { nodes(ids: $ids) { __typename } }": types.ThingsDocument,
    "\n  query Statistics($startDate: Date!, $endDate: Date!, $interval: StatisticsInterval, $groupBy: [StatisticsDimension!]! = [], $filter: TransactionStatisticsFilter) {\n    transactionStatistics(startDate: $startDate, endDate: $endDate, interval: $interval, groupBy: $groupBy, filter: $filter) {\n      buckets { start type direction status currency { code } count amount { decimal } }\n      totals { start type direction status currency { code } count amount { decimal } }\n    }\n  }\n": types.StatisticsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CustomersWithTransactions {\n    customers(first: 3, sortOrder: ASC) {\n      nodes { platformCustomerId transactions(first: 2, sortOrder: ASC) { totalCount nodes { ... on TransactionNode { platformCustomerId createdAt } } } }\n    }\n  }\n"): typeof import('./graphql.ts').CustomersWithTransactionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Ledger($id: ID!) {\n    transaction(id: $id) {\n      ... on TransactionNode {\n        ledgerMovements { kind createdAt entries { account { id } book amount { amount currency { code } } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').LedgerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LedgerPage($first: Int!) {\n    transactions(first: $first) {\n      nodes { ledgerMovements { kind entries { account { id currency { code } } book amount { amount } } } }\n    }\n  }\n"): typeof import('./graphql.ts').LedgerPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EveryEdge($first: Int!) {\n    transactions(first: $first) {\n      totalCount\n      nodes {\n        ... on TransactionNode {\n          customer { name }\n          timeline { to }\n        }\n        ... on PaymentTransaction {\n          source { ... on AccountSource { account { __typename customer { name } } } }\n          destination { ... on AccountDestination { account { __typename customer { name } } } }\n          agent { name customer { name } }\n          scaChallenge { purpose }\n          quote {\n            scaChallenge { purpose }\n            transaction { id }\n            source { ... on AccountSource { account { customer { name } } } }\n            destination { ... on AccountDestination { account { customer { name } } } }\n          }\n        }\n        ... on CardTransaction {\n          account { customer { name } }\n          card { last4 customer { name } account { customer { name } } }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EveryEdgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EveryCustomer($first: Int!) {\n    customers(first: $first) {\n      totalCount\n      nodes {\n        internalAccounts(first: 5) { nodes { id } }\n        externalAccounts(first: 5) { nodes { id } }\n        cards(first: 5) { nodes { id } }\n        agents(first: 5) { nodes { id } }\n        transactions(first: 3) { totalCount nodes { __typename } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EveryCustomerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Page { transactions { nodes { __typename } } }"): typeof import('./graphql.ts').PageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CountedPage { transactions { totalCount nodes { __typename } } }"): typeof import('./graphql.ts').CountedPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CustomerPage { customers { nodes { id } } }"): typeof import('./graphql.ts').CustomerPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WithCustomer($filter: TransactionFilter) {\n    transactions(filter: $filter) { nodes { ... on TransactionNode { customer { name } } } }\n  }\n"): typeof import('./graphql.ts').WithCustomerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WithIdsOnly {\n    transactions {\n      nodes {\n        ... on TransactionNode { customerId }\n        ... on PaymentTransaction { agentId quoteId source { ... on AccountSource { accountId } } }\n        ... on CardTransaction { cardId accountId }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').WithIdsOnlyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WithCards { transactions { nodes { ... on CardTransaction { card { last4 } } } } }\n"): typeof import('./graphql.ts').WithCardsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Myself { viewer { subject } apiInfo { version } }"): typeof import('./graphql.ts').MyselfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneCustomer($platformCustomerId: String!) {\n    customer(by: { platformCustomerId: $platformCustomerId }) { transactions { totalCount } }\n  }\n"): typeof import('./graphql.ts').OneCustomerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ListsOfOne($ids: [ID!]!) {\n    nodes(ids: $ids) {\n      ... on Account { transactions { totalCount nodes { __typename } } }\n      ... on InternalAccount { cards { nodes { last4 } } }\n      ... on Agent { transactions { totalCount nodes { __typename } } }\n      ... on Card { transactions { totalCount nodes { id } } }\n    }\n  }\n"): typeof import('./graphql.ts').ListsOfOneDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Things($ids: [ID!]!) { nodes(ids: $ids) { __typename } }"): typeof import('./graphql.ts').ThingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Statistics($startDate: Date!, $endDate: Date!, $interval: StatisticsInterval, $groupBy: [StatisticsDimension!]! = [], $filter: TransactionStatisticsFilter) {\n    transactionStatistics(startDate: $startDate, endDate: $endDate, interval: $interval, groupBy: $groupBy, filter: $filter) {\n      buckets { start type direction status currency { code } count amount { decimal } }\n      totals { start type direction status currency { code } count amount { decimal } }\n    }\n  }\n"): typeof import('./graphql.ts').StatisticsDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
