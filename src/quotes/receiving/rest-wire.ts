// What other UMA institutions call, at the root of the host and without credentials (docs/domain/uma.md#receiving). The host of the request
// chooses the institution. Errors have the form of the protocol.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { readText } from '#core/body.ts'
import { ApiError } from '#core/errors.ts'
import { logFailure } from '#core/log.ts'
import { type RestVariables, router } from '#rest/router.ts'
import { formerInstitutionAt, type Institution, institutionAt } from '#uma/own-keys.ts'
import { answerOf, UmaProtocolError, umaProtocolErrorOf, type WireAnswer } from '#uma/wire.ts'
import { answerDone } from './answer-done.ts'
import { answerLookup } from './answer-lookup.ts'
import { answerPayreq } from './answer-payreq.ts'
import { configurationOf, publicKeysOf } from './published.ts'
import { countUmaCall } from './wire-limit.ts'

export const wireRoutes = router()

const MAX_BODY = 64 * 1024

type WireContext = Context<RestVariables>

type Work = (own: Institution, context: WireContext) => Promise<WireAnswer>

/** Answers as the institution of the request's host. */
const answering =
  (work: Work, find = institutionAt) =>
  async (context: WireContext): Promise<Response> => {
    const { status, body } = await answerTo(context, work, find)
    context.header('cache-control', 'no-store')
    return context.json(body, status as ContentfulStatusCode)
  }

const answerTo = async (context: WireContext, work: Work, find: typeof institutionAt): Promise<WireAnswer> => {
  const { clientAddress, requestContext } = context.env
  try {
    const seconds = countUmaCall(clientAddress())
    if (seconds > 0) {
      context.header('retry-after', String(seconds))
      throw new UmaProtocolError('RATE_LIMITED', 'Too many requests')
    }
    const own = await find(hostOf(context))
    if (!own) throw new UmaProtocolError('REQUEST_NOT_FOUND', 'There is no UMA institution at this host')
    return await work(own, context)
  } catch (error) {
    const known = umaProtocolErrorOf(error)
    if (!known) logFailure({ traceId: requestContext.traceId }, error)
    return answerOf(known ?? new UmaProtocolError('INTERNAL_ERROR', 'Internal error'))
  }
}

const hostOf = (context: WireContext) => (context.req.header('host') ?? '').toLowerCase().replace(/:(80|443)$/, '')

const bodyOf = async (context: WireContext): Promise<string> => {
  try {
    const text = await readText(context.req.raw)
    if (text.length <= MAX_BODY) return text
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  throw new UmaProtocolError('INVALID_REQUEST_FORMAT', 'The body is too long, or not UTF-8')
}

const ok = (body: object): WireAnswer => ({ status: 200, body })

// Payments under way need the keys, and the message that they are paid, also after the platform has changed its domain.
wireRoutes.get(
  '/.well-known/lnurlpubkey',
  answering(async (own) => ok(publicKeysOf(own)), formerInstitutionAt),
)

wireRoutes.get(
  '/.well-known/uma-configuration',
  answering(async (own, context) => {
    context.header('access-control-allow-origin', '*')
    return ok(configurationOf(own))
  }),
)

wireRoutes.get(
  '/.well-known/lnurlp/:name',
  answering(async (own, context) =>
    ok(await answerLookup(own, context.req.param('name') ?? '', new URL(context.req.url).search)),
  ),
)

wireRoutes.post(
  '/uma/payreq/:id',
  answering(async (own, context) => ok(await answerPayreq(own, context.req.param('id') ?? '', await bodyOf(context)))),
)

wireRoutes.post(
  '/uma/done/:id',
  answering(
    async (own, context) => answerDone(own, context.req.param('id') ?? '', await bodyOf(context)),
    formerInstitutionAt,
  ),
)
