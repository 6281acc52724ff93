// The REST face: authenticates callers, mounts the routes, and renders errors as JSON.
import { type Context, type Env, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { API_VERSION } from '#core/api-version.ts'
import { readText } from '#core/body.ts'
import { type AgentCaller, type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { hasReplicas, ReplicaLost } from '#database/replicas/reading.ts'
import { acquireSlot } from '#http/platform-queue.ts'
import { drain, type UploadRoute } from '#http/uploads.ts'
import { missingCredentials, WWW_AUTHENTICATE } from '#http/www-authenticate.ts'
import { docRoutes } from './docs.ts'
import { failureOf } from './failure.ts'
import { type AnswerCaller, answerWithout, answerWithReplicas } from './replicas.ts'
import { type AgentVariables, agentRouter, type RestApp, type RestVariables, router } from './router.ts'
import type { BodyOf, errorSchema } from './schema.ts'

type Authenticate = (headers: Headers) => Promise<Caller | null>

/** The routes of all slices, grouped by who may call them, each with the path to mount it at. */
export interface Routes {
  /** Routes that other institutions call, at the root of the host and without credentials. */
  readonly wire: RestApp
  /** Pages for people, at the root of the host and without credentials. */
  readonly pages: readonly (readonly [path: string, routes: RestApp])[]
  /** Routes that need no credentials. */
  readonly public: readonly (readonly [path: string, routes: RestApp])[]
  readonly agents: readonly (readonly [path: string, routes: Hono<AgentVariables>])[]
  readonly platforms: readonly (readonly [path: string, routes: RestApp])[]
  /** Routes whose body is a file. They take a slot only for their database work. */
  readonly uploads: readonly UploadRoute[]
}

export const createRestApp = (routes: Routes, authenticate: Authenticate): RestApp => {
  const api = router()
  // Mounted before the middleware that requires a platform's credentials.
  for (const [path, part] of routes.public) api.route(path, part)
  const answer = hasReplicas ? answerWithReplicas((request, env) => app.fetch(request, env)) : answerWithout
  api.route('/agents/me', agentApi(routes, authenticate, answer))
  api.use(
    createMiddleware<RestVariables>(async (context, next) => {
      requirePath(context)
      const caller = requireScheme(await authenticate(context.req.raw.headers), 'PLATFORM')
      if (context.env.isUpload) {
        context.env.requestContext.platformId = caller.platformId
        context.set('caller', caller)
        return answer(context, caller, next)
      }
      context.set('body', await bodyBeforeSlot(context.req.raw))
      context.set('caller', await admit(context.env, caller))
      if (isRead(context)) requirePermission(caller, 'VIEW')
      await answer(context, caller, next)
    }),
  )
  mount(api, routes.platforms)

  const app = router()
  app.use(async (context, next) => {
    const { requestContext } = context.env
    // Set before `next()`, which throws if the path is unknown.
    context.header('x-request-id', requestContext.traceId)
    // Known before the answer, because the client may leave or the deadline may pass until then.
    requestContext.operation = operationOf(context)
    await next()
  })
  app.route('/', docRoutes)
  app.route('/', routes.wire)
  for (const [path, part] of routes.pages) app.route(path, part)
  app.route(`/${API_VERSION}`, api)
  app.notFound(nothingHere)
  app.onError(async (error, context) => {
    if (error instanceof ReplicaLost) return context.body(null, 503)
    if (context.env.isUpload) await drain(context.req.raw.body)
    const failure = failureOf(error, context.env.requestContext)
    // With this header a browser would prompt its user for credentials on behalf of any page.
    if (failure.status === 401 && !context.req.header('origin')) context.header('www-authenticate', WWW_AUTHENTICATE)
    // The unread rest of the body would block the next request on the connection.
    if (failure.status === 413) context.header('connection', 'close')
    const retryAfter = failure.details?.['retryAfterSeconds']
    if (retryAfter !== undefined) context.header('retry-after', String(retryAfter))
    return context.json(failure.toBody() satisfies BodyOf<typeof errorSchema>, failure.status as ContentfulStatusCode)
  })
  return app
}

/** The routes that only agents may call. */
const agentApi = (routes: Routes, authenticate: Authenticate, answer: AnswerCaller): Hono<AgentVariables> => {
  const api = agentRouter()
  api.use(
    createMiddleware<AgentVariables>(async (context, next) => {
      requirePath(context)
      const caller = requireScheme(await authenticate(context.req.raw.headers), 'AGENT')
      context.set('body', await bodyBeforeSlot(context.req.raw))
      context.set('caller', await admit(context.env, caller))
      await answer(context, caller, next)
    }),
  )
  mount(api, routes.agents)
  api.all('*', nothingHere)
  return api
}

interface CallerOf {
  readonly PLATFORM: PlatformCaller
  readonly AGENT: AgentCaller
}

const requireScheme = <S extends Caller['scheme']>(caller: Caller | null, scheme: S): CallerOf[S] => {
  if (!caller) throw missingCredentials()
  if (caller.scheme !== scheme) throw new ApiError('UNAUTHORIZED', 'These API credentials are not valid for this path')
  return caller as CallerOf[S]
}

/** Clients may send their body slowly. The error of an unreadable body is thrown where it is used, after the permission was checked. */
const bodyBeforeSlot = async (request: Request): Promise<() => string> => {
  try {
    const text = await readText(request)
    return () => text
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const admit = async <C extends Caller>({ requestContext }: RestVariables['Bindings'], caller: C): Promise<C> => {
  requestContext.platformId = caller.platformId
  // A request that is repeated still has its slot.
  if (!requestContext.releaseSlot) await acquireSlot(requestContext, caller.platformId)
  return caller
}

const nothingHere = () => {
  throw new ApiError(
    'REFERENCE_NOT_FOUND',
    `Unknown path. GraphQL is at /graphql, REST is below /${API_VERSION}, and its documentation is at /docs`,
  )
}

/** The path of the first route, which answers: `/customers/external-accounts` also matches `/customers/:id`. Only middleware has paths with `*`. */
const operationOf = (context: Context): string | undefined =>
  matchedRoutes(context).find(({ path }) => !path.endsWith('*'))?.path

/** Unknown paths are 404 even without credentials, because all paths are documented publicly. */
const requirePath = (context: Context) => {
  if (operationOf(context) === undefined) nothingHere()
}

/** Whether the method and the path are those of a read. All reads of platforms need VIEW, which is checked before their query string. */
const isRead = (context: Context): boolean => matchedRoutes(context).some(({ method }) => method === 'GET')

/**
 * Mounts the routes, and answers 405 with `Allow` for a known path with another method. A path without parameters refuses before the routes,
 * because `/customers/:id` would match `/customers/external-accounts`.
 */
const mount = <E extends Env>(api: Hono<E>, parts: readonly (readonly [path: string, routes: Hono<E>])[]) => {
  const mounted = new Hono<E>()
  for (const [path, part] of parts) mounted.route(path, part)
  refuseOtherMethods(api, mounted, (path) => !path.includes(':'))
  for (const [path, part] of parts) api.route(path, part)
  refuseOtherMethods(api, api, (path) => path.includes(':'))
}

const refuseOtherMethods = <E extends Env>(api: Hono<E>, { routes }: Hono<E>, isChosen: (path: string) => boolean) => {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of routes.filter(({ method, path }) => method !== 'ALL' && isChosen(path))) {
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, allowed] of methods) {
    api.all(path, (context, next) => {
      const { method } = context.req
      if (allowed.has(method === 'HEAD' ? 'GET' : method)) return next()
      context.header('allow', [...allowed].join(', '))
      throw new ApiError('METHOD_NOT_ALLOWED', `Use ${[...allowed].join(' or ')}`)
    })
  }
}
