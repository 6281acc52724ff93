// How long an answer may be. It is measured before its text is built, so that no memory is taken for a text that is not sent.
import { type ExecutionResult, type GraphQLError, getOperationAST } from 'graphql'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { ApiError } from '#core/errors.ts'
import { jsonBytes } from '#core/json-size.ts'
import { limitOf, tooComplex } from './limits.ts'

/** 400 `QUERY_TOO_COMPLEX` in place of an answer of more than `maxAnswerBytes`. */
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

/** Without this, the client would take the error for a change that was not made. */
const tooLongAfterMutation = () => {
  const { code, message, details } = tooComplex('maxAnswerBytes')
  return new ApiError(code, `${message}. The mutation was carried out: read its outcome with fewer fields.`, details)
}

/** Status, code and trace id, which are added to each error later. */
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
