// The parts of a request that do not depend on its operation: the GraphQL envelope, URLs and headers.
import { API_VERSION } from '#core/api-version.ts'
import { getPath, type HostilePlace, headerTexts, postJson, type WireRequest } from './places.ts'
import { jsonShapes, textShapes } from './shapes.ts'

export const envelopePlaces = (authorization: string | null): HostilePlace[] => {
  const envelope = (name: string, body: (input: string) => string): HostilePlace => ({
    name: `GraphQL ${name}`,
    shapes: jsonShapes(),
    request: (input) => postJson('/graphql', authorization, body(input)),
  })
  const parameter = (name: string, target: (input: string) => string): HostilePlace => ({
    name: `GraphQL GET ${name}`,
    shapes: textShapes(encodeURIComponent, (each) => each.isWellFormed()),
    limit: 'headers',
    request: (input) => getPath(target(input), authorization),
  })
  const query = '"query":"{ __typename }"'
  return [
    envelope('body', (input) => input),
    envelope('query', (input) => `{"query":${input}}`),
    envelope('variables', (input) => `{${query},"variables":${input}}`),
    envelope('an unknown variable', (input) => `{${query},"variables":{"v":${input}}}`),
    envelope('operationName', (input) => `{${query},"operationName":${input}}`),
    envelope('extensions', (input) => `{${query},"extensions":${input}}`),
    envelope('extensions.persistedQuery', (input) => `{"extensions":{"persistedQuery":${input}}}`),
    envelope(
      'extensions.persistedQuery.sha256Hash',
      (input) => `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":${input}}}}`,
    ),
    envelope('documentId', (input) => `{"documentId":${input}}`),
    envelope('an unknown member', (input) => `{${query},"x":${input}}`),
    parameter('query', (input) => `/graphql?query=${input}`),
    ...['variables', 'operationName', 'extensions', 'documentId', 'x'].map((name) =>
      parameter(name, (input) => `/graphql?query=${encodeURIComponent('{ __typename }')}&${name}=${input}`),
    ),
    parameter('the name of a parameter', (input) => `/graphql?query=${encodeURIComponent('{__typename}')}&${input}=1`),
  ]
}

const STANDARD_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'access-control-request-method',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'idempotency-key',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'request-id',
  'sec-fetch-site',
  'service-wallet-signature',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-forwarded-for',
  'x-query-cost',
  'x-request-id',
  'x-unknown',
]

const with_ = (request: WireRequest, headers: WireRequest['headers']): WireRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

export const headerPlaces = (authorization: string | null): HostilePlace[] => {
  const requests: Readonly<Record<string, WireRequest>> = {
    GraphQL: postJson('/graphql', authorization, '{"query":"{ __typename }"}'),
    'GraphQL GET': getPath('/graphql?query={__typename}', authorization),
    REST: postJson(`/${API_VERSION}/transfer-out`, authorization, '{}'),
    'REST GET': getPath(`/${API_VERSION}/transactions`, authorization),
    ...(authorization === null && {
      preflight: { method: 'OPTIONS', target: '/graphql', headers: { 'access-control-request-method': 'POST' } },
      docs: getPath('/openapi.json', null),
      probe: getPath('/livez', null),
    }),
  }
  return Object.entries(requests).flatMap(([name, request]): HostilePlace[] => {
    const isData = name === 'docs' || name === 'GraphQL GET'
    return [
      ...STANDARD_HEADERS.map((header) => ({
        name: `${name} header ${header}`,
        ...headerTexts,
        isData,
        request: (input: string) => with_(request, { [header]: input }),
      })),
      {
        name: `${name} many headers`,
        shapes: [['distinct', (bytes) => 'x'.repeat(bytes / 8)]],
        limit: 'headers',
        isData,
        request: (input) => with_(request, Object.fromEntries(Array.from(input, (_, at) => [`x${at}`, '1']))),
      },
      {
        name: `${name} many equal headers`,
        shapes: [['cookies', (bytes) => 'x'.repeat(bytes / 12)]],
        limit: 'headers',
        isData,
        request: (input) => with_(request, { cookie: Array.from(input, () => 'a=b') }),
      },
    ]
  })
}

export const addressPlaces = (authorization: string | null): HostilePlace[] =>
  [
    '/',
    `/${API_VERSION}/`,
    `/${API_VERSION}/transactions/`,
    `/${API_VERSION}/transactions?`,
    '/graphql/',
    '/graphql?',
    '/docs/',
    '/openapi.json?',
    '/livez/',
  ].flatMap((start) => ({
    name: `the address ${start}`,
    // Unchanged, not encoded again.
    shapes: textShapes(
      (each) => each.replaceAll(/[^!-~]/gu, encodeURIComponent),
      (each) => each.isWellFormed(),
    ),
    limit: 'headers',
    isData: /docs|openapi|graphql/.test(start),
    request: (input) => getPath(start + input, authorization),
  }))
