// `/webhooks` and `/sandbox/webhooks`: deliveries, and what platforms can do by hand.
import type { Caller } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { bodyOf, optionalBodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { redeliverEvent, redeliverEvents, sendTestEvent, skipEvent } from './by-hand.ts'
import {
  attemptsOf,
  DELIVERY_PARAMETERS,
  deliveryList,
  nextAttemptsOf,
  type WebhookAttempt,
  type WebhookDelivery,
} from './delivery.ts'
import { endpointNotSet, type SetEndpoint } from './endpoint.ts'
import type { deliverySchema, redeliveredSchema, rotationSchema, testAnswerSchema } from './rest-schema.ts'
import { rotateKey } from './rotation.ts'

export const webhookRoutes = router()

webhookRoutes.get('/deliveries', async (context) => {
  const { caller } = context.var
  const found = await pageOfList(caller, context.req.url, deliveryList, DELIVERY_PARAMETERS)
  return sendPage(context, found, await deliveryBodies(caller, found.page.items))
})

webhookRoutes.post('/events/:id/redeliver', async (context) => {
  const { caller } = context.var
  const [body] = await deliveryBodies(caller, [await redeliverEvent(caller, context.req.param('id'))])
  return context.json(body)
})

webhookRoutes.post('/events/:id/skip', async (context) => {
  const { caller } = context.var
  const [body] = await deliveryBodies(caller, [await skipEvent(caller, context.req.param('id'))])
  return context.json(body)
})

webhookRoutes.post('/redeliver', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const count = await redeliverEvents(context.var.caller, input)
  return context.json({ count } satisfies BodyOf<typeof redeliveredSchema>)
})

webhookRoutes.post('/key/rotate', async (context) => {
  const input = await optionalBodyOf(context, 'MANAGE')
  return context.json(rotationBody(await rotateKey(context.var.caller, input)))
})

export const webhookTestRoutes = router()

webhookTestRoutes.post('/test', async (context) => {
  const input = await optionalBodyOf(context, 'MANAGE')
  const { url, attempt } = await sendTestEvent(context.var.caller, input)
  return context.json({
    url,
    response_status: attempt.responseStatus ?? 0,
    response_body: attempt.responseBody ?? '',
  } satisfies BodyOf<typeof testAnswerSchema>)
})

const rotationBody = ({ endpoint, secret }: SetEndpoint): BodyOf<typeof rotationSchema> => {
  if (endpoint === null) throw endpointNotSet()
  return {
    signingPublicKey: endpoint.publicKey,
    nextSigningPublicKey: endpoint.nextPublicKey ?? undefined,
    nextKeyAt: endpoint.nextKeyAt ?? undefined,
    secret: secret ?? undefined,
  }
}

const deliveryBodies = async (
  caller: Caller,
  deliveries: readonly WebhookDelivery[],
): Promise<BodyOf<typeof deliverySchema>[]> => {
  const ids = deliveries.map(({ id }) => id)
  const [attempts, next] = await Promise.all([attemptsOf(caller, ids), nextAttemptsOf(caller, ids)])
  return deliveries.map((delivery, index) => ({
    id: publicId('WebhookDelivery', delivery.id),
    eventId: publicId('Webhook', delivery.eventId),
    type: delivery.type,
    status: delivery.status,
    attempts: attempts[index]?.map(attemptBody) ?? [],
    nextAttemptAt: next[index] ?? undefined,
    createdAt: delivery.createdAt,
    doneAt: delivery.doneAt ?? undefined,
  }))
}

const attemptBody = (attempt: WebhookAttempt) => ({
  at: attempt.at,
  milliseconds: attempt.milliseconds,
  trigger: attempt.trigger,
  responseStatus: attempt.responseStatus ?? undefined,
  responseBody: attempt.responseBody ?? undefined,
  failure: attempt.failure ?? undefined,
})
