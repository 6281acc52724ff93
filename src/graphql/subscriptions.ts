// Executes each message of a subscription as its own operation, with fresh loaders, limits and budget.
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql'
import { execute } from 'graphql/execution/execute.js'
import { createSourceEventStream } from 'graphql/execution/subscribe.js'
import { createGraphQLError, type FetchAPI, type Plugin, processRegularResult } from 'graphql-yoga'
import { ApiError } from '#core/errors.ts'
import { retryMs } from '#http/event-stream.ts'
import { inTurn } from '#http/message-turns.ts'
import type { Context } from './builder.ts'

/** A value that the source of a subscription yields. */
export interface Message {
  /** The cursor that resumes after this message. */
  readonly cursor: string
  /** The fill level of the message, from 0 to 1. Its cost is in proportion. */
  readonly fullness: number
}

/** The cursor to begin after. The header that `EventSource` sends after a lost connection is later than the argument in its URL. */
export const startOf = (after: string | null | undefined, { request }: Pick<Context, 'request'>) => {
  const text = request.headers.get('last-event-id') || (after ?? null)
  return text === null ? null : { text, field: 'after' }
}

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult>

/** Must precede the plugins that wrap the execution, and the one that gives errors their status. */
export const useSubscriptions = (): Plugin<Context> => {
  let executeMessage: Execute | undefined
  return {
    onYogaInit({ yoga }) {
      executeMessage = async (args) => yoga.getEnveloped(args.contextValue as object).execute(args)
    },
    onExecute({ args, setExecuteFn }) {
      if (isSubscription(args)) setExecuteFn(execute)
    },
    onSubscribe({ args, setSubscribeFn }) {
      requireEventStream((args.contextValue as Context).request)
      const run = executeMessage
      if (run) setSubscribeFn((given: ExecutionArgs) => subscribe(given, run))
    },
    onResultProcess({ result, resultProcessor, setResult, setResultProcessor }) {
      if (Array.isArray(result)) return
      if (Symbol.asyncIterator in result) setResultProcessor(write, 'text/event-stream')
      else if (!('data' in result) && resultProcessor === processRegularResult) setResult(ofRequest(result))
    },
  }
}

const isSubscription = ({ document, operationName }: ExecutionArgs) =>
  getOperationAST(document, operationName)?.operation === 'subscription'

const requireEventStream = ({ headers }: Request) => {
  if (/text\/event-stream|\*\/\*|text\/\*/i.test(headers.get('accept') ?? '*/*')) return
  throw new ApiError('INVALID_INPUT', 'Subscriptions are sent as text/event-stream: the Accept header must allow it', {
    field: 'accept',
  })
}

const subscribe = async (args: ExecutionArgs, run: Execute) => {
  const source = await createSourceEventStream(args)
  return Symbol.asyncIterator in source
    ? messagesOf(source as AsyncIterable<Message>, args, run)
    : isTooMany(source)
      ? ofRequest(source)
      : source
}

/** Too many streams fail the request with a status and `retry-after`. A client of a stream gets other errors as a message. */
const isTooMany = ({ errors }: ExecutionResult) =>
  errors?.some(({ originalError }) => originalError instanceof ApiError && originalError.code === 'RATE_LIMITED')

/** Without a path, an error of the field that could not start is an error of the request, which has an HTTP status. */
const ofRequest = ({ errors = [] }: ExecutionResult) => ({
  errors: errors.map((error) => (error.path ? withoutPath(error) : error)),
})

const withoutPath = ({ message, nodes, originalError }: GraphQLError) =>
  createGraphQLError(message, { nodes: nodes ?? null, originalError: originalError ?? null })

/** A message without data has no cursor. */
interface Sent extends ExecutionResult {
  readonly cursor?: string
  /** The start of the first message. */
  readonly retry?: number
}

/** A message without data has no cursor to resume from, so it ends the stream. */
async function* messagesOf(source: AsyncIterable<Message>, args: ExecutionArgs, run: Execute): AsyncGenerator<Sent> {
  const context = args.contextValue as Context
  let first: Pick<Sent, 'retry'> = { retry: retryMs() }
  try {
    for await (const message of source) {
      const { fullness, cursor } = message
      const contextValue = { ...context, loaders: new Map(), fullness }
      const result = await inTurn(context.caller.platformId, () => run({ ...args, rootValue: message, contextValue }))
      yield result.data ? { ...result, ...first, cursor } : result
      if (!result.data) return
      first = {}
    }
  } catch (error) {
    yield {
      errors: [error instanceof GraphQLError ? error : createGraphQLError('', { originalError: error as Error })],
    }
  }
}

/** Yoga writes no `id`. It precedes `data`, because some clients read everything after `data: ` as the message. */
const write = (results: unknown, { ReadableStream, Response, TextEncoder }: FetchAPI): Response => {
  const iterator = (results as AsyncIterable<Sent>)[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const { done, value } = await iterator.next()
      controller.enqueue(encoder.encode(done ? COMPLETE : textOf(value)))
      if (done) controller.close()
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

const COMPLETE = 'event: complete\ndata:\n\n'

const textOf = ({ cursor, retry, data, errors, extensions }: Sent): string => {
  const place = cursor === undefined ? '' : `id: ${cursor}\n`
  const pause = retry === undefined ? '' : `retry: ${retry}\n`
  const message = JSON.stringify({ data, errors: errors?.map(withoutHttp), extensions })
  return `${place}${pause}event: next\ndata: ${message}\n\n`
}

/** The headers are sent already. */
const withoutHttp = (error: GraphQLError) => {
  const { extensions: { http: _, ...extensions } = {}, ...others } = error.toJSON()
  return { ...others, extensions }
}
