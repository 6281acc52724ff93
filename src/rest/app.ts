// The REST face: who calls, and the one place where an error becomes its JSON body.
import { randomUUID } from 'node:crypto'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { API_VERSION } from '#core/api-version.ts'
import type { Caller } from '#core/caller.ts'
import { CHALLENGE } from '#core/challenge.ts'
import { ApiError } from '#core/errors.ts'
import { logFailure } from '#core/log.ts'
import { credentialRoutes, sessionRoutes } from '#credentials/rest.ts'
import { customerRoutes, internalAccountRoutes } from '#credentials/rest-wallet.ts'
import { transactionRoutes } from '#transactions/rest.ts'
import { type RestApp, router } from './router.ts'

type Authenticate = (headers: Headers) => Promise<Caller | null>

export const createRestApp = (authenticate: Authenticate): RestApp => {
  const api = router()
  api.use(async (context, next) => {
    const caller = await authenticate(context.req.raw.headers)
    if (!caller) throw new ApiError('UNAUTHORIZED', 'API credentials are missing')
    context.set('caller', caller)
    await next()
  })
  api.route('/transactions', transactionRoutes)
  api.route('/auth/credentials', credentialRoutes)
  api.route('/auth/sessions', sessionRoutes)
  api.route('/internal-accounts', internalAccountRoutes)
  api.route('/customers', customerRoutes)
  refuseOtherMethods(api)

  const app = router()
  app.use(async (context, next) => {
    context.set('traceId', randomUUID())
    await next()
    context.header('x-request-id', context.var.traceId)
  })
  app.route(`/${API_VERSION}`, api)
  app.notFound(() => {
    throw new ApiError('REFERENCE_NOT_FOUND', 'There is nothing at this path')
  })
  app.onError((error, context) => {
    const failure = error instanceof ApiError ? error : internal(context.var.traceId, error)
    if (failure.status === 401) context.header('www-authenticate', CHALLENGE)
    const retryAfter = failure.details?.['retryAfterSeconds']
    if (retryAfter !== undefined) context.header('retry-after', String(retryAfter))
    return context.json(failure.toBody(), failure.status as ContentfulStatusCode)
  })
  return app
}

const internal = (traceId: string, error: unknown) => {
  logFailure(traceId, error)
  return new ApiError('INTERNAL_ERROR', 'Something went wrong here. Quote the x-request-id to support.')
}

/** A known path with another method is 405, with the methods it has. */
const refuseOtherMethods = (api: RestApp) => {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of api.routes.filter(({ method }) => method !== 'ALL')) {
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, allowed] of methods) {
    api.all(path, (context) => {
      context.header('allow', [...allowed].join(', '))
      throw new ApiError('METHOD_NOT_ALLOWED', `Use ${[...allowed].join(' or ')}`)
    })
  }
}
