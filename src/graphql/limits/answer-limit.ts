// Limits the size of a response. It is measured before it is serialized, so that an oversized response costs no memory.
import { type ExecutionResult, type GraphQLError, getOperationAST } from 'graphql'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { ApiError } from '#core/errors.ts'
import { jsonBytes } from '#core/json/json-size.ts'
import { limitOf, tooComplex } from './limits.ts'

/** Replaces a response of more than `maxAnswerBytes` by 400 `QUERY_TOO_COMPLEX`. */
export const useAnswerLimit = (): Plugin => ({
  onExecute({ args: { document, operationName } }) {
    return {
      onExecuteDone({ result, setResult }) {
        if ('next' in result || Symbol.asyncIterator in result || isShortEnough(result)) return
        const isMutation = getOperationAST(document, operationName)?.operation === 'mutation'
        const originalError = isMutation ? tooLongAfterMutation() : tooComplex('maxAnswerBytes')
        setResult({ errors: [createGraphQLError('', { originalError })] })
      },
    }
  },
})

/** The message says that the change was made, which a client would not expect after an error. */
const tooLongAfterMutation = () => {
  const { code, message, details } = tooComplex('maxAnswerBytes')
  return new ApiError(code, `${message}. The mutation was executed. Read its outcome with fewer fields.`, details)
}

/** An allowance for status, code and trace id, which are added to each error later. */
const BYTES_OF_EXTENSIONS = 250

const isShortEnough = ({ data, errors = [] }: ExecutionResult): boolean => {
  const most = limitOf('maxAnswerBytes') - BYTES_OF_EXTENSIONS * errors.length
  return jsonBytes({ data, errors: errors.map(partsOf) }, most) <= most
}

const partsOf = ({ message, locations, path, extensions, originalError }: GraphQLError) => ({
  message,
  locations,
  path,
  extensions,
  details: originalError instanceof ApiError ? originalError.details : null,
})
