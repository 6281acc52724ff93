// Executes the messages of subscriptions, each like an operation of its own: with fresh loaders, and within the limits and the budget.
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql'
import { execute } from 'graphql/execution/execute.js'
import { createSourceEventStream } from 'graphql/execution/subscribe.js'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { ApiError } from '#core/errors.ts'
import { retryMs } from '#http/event-stream.ts'
import { inTurn } from '#http/message-turns.ts'
import type { Context } from './builder.ts'

/** What the source of a subscription yields. */
export interface Message {
  /** Resumes behind this message. */
  readonly cursor: string
  /** How much of the most that a message may hold, from 0 to 1. Its cost is in proportion. */
  readonly fullness: number
}

/** The cursor to begin behind, and where the client gave it: as an argument, or as `EventSource` does after it has lost its connection. */
export const startOf = (after: string | null | undefined, { request }: Pick<Context, 'request'>) => {
  const text = after ?? (request.headers.get('last-event-id') || null)
  return text === null ? null : { text, field: 'after' }
}

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult>

/** Comes before the plugins that wrap the execution. */
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
  }
}

const isSubscription = ({ document, operationName }: ExecutionArgs) =>
  getOperationAST(document, operationName)?.operation === 'subscription'

const requireEventStream = ({ headers }: Request) => {
  if (/text\/event-stream|\*\/\*|text\/\*/i.test(headers.get('accept') ?? '*/*')) return
  throw new ApiError('INVALID_INPUT', 'The response to a subscription is text/event-stream, which accept must allow', {
    field: 'accept',
  })
}

const subscribe = async (args: ExecutionArgs, run: Execute) => {
  const source = await createSourceEventStream(args)
  return Symbol.asyncIterator in source
    ? messagesOf(source as AsyncIterable<Message>, args, run)
    : { errors: source.errors?.map(ofRequest) ?? [] }
}

/** Too many streams are a failed request, with its status and `retry-after`. Other errors are a message, which clients can read. */
const ofRequest = (error: GraphQLError) =>
  error.originalError instanceof ApiError && error.originalError.code === 'RATE_LIMITED'
    ? withoutPath(error.originalError)
    : error

const withoutPath = (originalError: Error) => createGraphQLError('', { originalError })

/** After a message without data the client would not know where to resume if more followed. */
async function* messagesOf(source: AsyncIterable<Message>, args: ExecutionArgs, run: Execute) {
  const context = args.contextValue as Context
  let retry = `\nretry: ${retryMs()}`
  try {
    for await (const message of source) {
      const { fullness, cursor } = message
      const contextValue = { ...context, loaders: new Map(), fullness }
      const result = await inTurn(context.caller.platformId, () =>
        run({ ...args, rootValue: message, contextValue }),
      )
      // Yoga writes the text after `data: `.
      const lines = `\nid: ${cursor}${retry}`
      yield result.data
        ? { ...result, stringify: (sent: ExecutionResult) => `${JSON.stringify(sent)}${lines}` }
        : result
      if (!result.data) return
      retry = ''
    }
  } catch (error) {
    yield { errors: [error instanceof GraphQLError ? error : withoutPath(error as Error)] }
  }
}
