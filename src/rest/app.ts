// The REST face: who calls, and the one place where an error becomes its JSON body.
import type { Context, Env, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes, routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { API_VERSION } from '#core/api-version.ts'
import type { AgentCaller, Caller, PlatformCaller } from '#core/caller.ts'
import { CHALLENGE, missingCredentials } from '#core/challenge.ts'
import { ApiError } from '#core/errors.ts'
import { logFailure } from '#core/log.ts'
import { outageOf } from '#database/outage.ts'
import { takeTurn } from '#http/platform-queue.ts'
import { docRoutes } from './docs.ts'
import { type AgentVariables, agentRouter, type RestApp, type RestVariables, router } from './router.ts'
import type { BodyOf, errorSchema } from './schema.ts'

type Authenticate = (headers: Headers) => Promise<Caller | null>

/** The routes of all slices by who may call them, each with the path that it is mounted at. */
export interface Routes {
  /** No credentials are needed. */
  readonly public: readonly (readonly [path: string, routes: RestApp])[]
  readonly agents: readonly (readonly [path: string, routes: Hono<AgentVariables>])[]
  readonly platforms: readonly (readonly [path: string, routes: RestApp])[]
}

export const createRestApp = (routes: Routes, authenticate: Authenticate): RestApp => {
  const api = router()
  // Mounted before the middleware that asks for a platform's credentials.
  for (const [path, part] of routes.public) api.route(path, part)
  api.route('/agents/me', agentApi(routes, authenticate))
  api.use(
    createMiddleware<RestVariables>(async (context, next) => {
      requirePath(context)
      context.set(
        'caller',
        await admit(context.env, requireScheme(await authenticate(context.req.raw.headers), 'PLATFORM')),
      )
      await next()
    }),
  )
  for (const [path, part] of routes.platforms) api.route(path, part)
  refuseOtherMethods(api)

  const app = router()
  app.use(async (context, next) => {
    const { visit } = context.env
    // Before, because a path that leads nowhere is an error on the way.
    context.header('x-request-id', visit.traceId)
    await next()
    visit.operation = routePath(context, -1)
  })
  app.route('/', docRoutes)
  app.route(`/${API_VERSION}`, api)
  app.notFound(nothingHere)
  app.onError((error, context) => {
    const failure = error instanceof ApiError ? error : (outageOf(error) ?? internal(context.env.visit.traceId, error))
    // A browser would ask its user for credentials, on behalf of whatever page.
    if (failure.status === 401 && !context.req.header('origin')) context.header('www-authenticate', CHALLENGE)
    // What is left of the body stands in the way of the next request.
    if (failure.status === 413) context.header('connection', 'close')
    const retryAfter = failure.details?.['retryAfterSeconds']
    if (retryAfter !== undefined) context.header('retry-after', String(retryAfter))
    return context.json(failure.toBody() satisfies BodyOf<typeof errorSchema>, failure.status as ContentfulStatusCode)
  })
  return app
}

/** All that agents may call, and nobody else. */
const agentApi = (routes: Routes, authenticate: Authenticate): Hono<AgentVariables> => {
  const api = agentRouter()
  api.use(
    createMiddleware<AgentVariables>(async (context, next) => {
      requirePath(context)
      context.set(
        'caller',
        await admit(context.env, requireScheme(await authenticate(context.req.raw.headers), 'AGENT')),
      )
      await next()
    }),
  )
  for (const [path, part] of routes.agents) api.route(path, part)
  refuseOtherMethods(api)
  api.all('*', nothingHere)
  return api
}

interface CallerOf {
  readonly PLATFORM: PlatformCaller
  readonly AGENT: AgentCaller
}

const requireScheme = <S extends Caller['scheme']>(caller: Caller | null, scheme: S): CallerOf[S] => {
  if (!caller) throw missingCredentials()
  if (caller.scheme !== scheme) throw new ApiError('UNAUTHORIZED', 'The API credentials are not for this path')
  return caller as CallerOf[S]
}

const admit = async <C extends Caller>({ visit }: RestVariables['Bindings'], caller: C): Promise<C> => {
  visit.platformId = caller.platformId
  await takeTurn(visit, caller.platformId)
  return caller
}

const nothingHere = () => {
  throw new ApiError(
    'REFERENCE_NOT_FOUND',
    `There is nothing at this path. GraphQL is at /graphql, REST below /${API_VERSION}, its documentation at /docs`,
  )
}

/** A path that leads nowhere is 404 to everybody: the documentation tells all paths. Only middleware is at paths with `*`. */
const requirePath = (context: Context) => {
  if (matchedRoutes(context).every(({ path }) => path.endsWith('*'))) nothingHere()
}

const internal = (traceId: string, error: unknown) => {
  logFailure({ traceId }, error)
  return new ApiError('INTERNAL_ERROR', 'Something went wrong here. Quote the x-request-id to support.')
}

/** A known path with another method is 405, with the methods it has. */
const refuseOtherMethods = <E extends Env>(api: Hono<E>) => {
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
