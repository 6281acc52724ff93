// The webhook in the contract: the request that an endpoint receives, and the answers that matter. Swagger UI shows it at `/docs`.
import { z } from 'zod'
import { webhookSchema } from '#events/rest-schema.ts'
import { KEPT_DAYS } from '#events/retention.ts'
import type { Schemas, Webhooks } from '#rest/operation.ts'
import { MAX_REASON } from './approval.ts'
import { ROTATION_HOURS } from './rotation.ts'

const GUIDE = `The service sends this request to the platform's endpoint for every event. \`PATCH /config\` with \`webhookEndpoint\` sets the endpoint. If there was none, the response contains \`webhookSecret\`, which is never shown again. \`POST /webhooks/key/rotate\` creates the next one.

**A receiver**
1. reads the body as bytes and verifies it before parsing it;
2. refuses a \`webhook-timestamp\` that is more than five minutes old;
3. stores the \`id\` of every event for ${KEPT_DAYS} days and answers 409 to one that it knows, because an event may arrive more than once;
4. answers 2xx within seconds and processes the event afterwards. The next event of the same object waits for the answer.

**Verifying with the secret** (any library for [Standard Webhooks](https://www.standardwebhooks.com) does the same):
\`\`\`js
const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
const signed = Buffer.concat([Buffer.from(\`\${headers['webhook-id']}.\${headers['webhook-timestamp']}.\`), rawBody])
const expected = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'))
const given = (headers['webhook-signature'] ?? '').split(' ').map((signature) => Buffer.from(signature))
const isGenuine = given.some((each) => each.length === expected.length && timingSafeEqual(each, expected))
\`\`\`
**Verifying with the public key**: \`s\` of \`X-Service-Signature\` is an ECDSA P-256 signature over the SHA-256 digest of the body, as base64 DER. \`webhookSigningPublicKey\` of \`GET /config\` verifies it. The repository has complete samples in JavaScript, Python and for openssl under \`examples/webhooks\`.

**Rotating keys**: for ${ROTATION_HOURS} hours after \`POST /webhooks/key/rotate\` both headers contain two signatures. Accept either.

**On your own machine**: \`npm run listen -- --forward-to http://localhost:8080\` forwards the events of a platform without an endpoint.`

const EXAMPLE = {
  id: 'Webhook:01997d6f-2c00-7000-8000-000000000001',
  type: 'TEST',
  timestamp: '2026-01-31T09:30:00.000Z',
  data: {},
} as const

const rejectionSchema = z.object({
  reason: z.string().optional().describe(`Why. The first ${MAX_REASON} characters are kept.`),
})

const noBody = (description: string) => ({ description })

const members = webhookSchema.options.map((event) => ({
  $ref: `#/components/schemas/${event.meta()?.['id']}`,
  types: event.shape.type.options,
}))

/** The members are components already, as parts of `Event`. zod-openapi would describe them a second time as parts of a request. */
export const receivedSchemas: Schemas = {
  WebhookEvent: {
    type: 'object',
    description: webhookSchema.description ?? '',
    oneOf: members.map(({ $ref }) => ({ $ref })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(members.flatMap(({ $ref, types }) => types.map((type) => [type, $ref]))),
    },
  },
}

export const receivedWebhooks: Webhooks = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event',
      description: GUIDE,
      tags: ['Webhooks'],
      security: [],
      requestParams: {
        header: z.object({
          'webhook-id': z.string().describe('`id` of the body.'),
          'webhook-timestamp': z.string().describe('Time of this attempt, in seconds since 1970.'),
          'webhook-signature': z
            .string()
            .describe('`v1,` and the signature by the secret. During a rotation a second one follows after a space.'),
          'x-service-signature': z
            .string()
            .describe('JSON: `{"v":"1","s":"<base64>"}`. During a rotation `n` is the signature by the next key.'),
          'x-service-hop': z.literal('1').describe('The service refuses requests with this header.'),
        }),
      },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' }, example: EXAMPLE } },
      },
      responses: {
        200: {
          description: 'The event was received. For `INCOMING_PAYMENT.PENDING` of a UMA payment, approves it.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ApprovalRequest' } } },
        },
        202: noBody('The event was received. The decision on a UMA payment follows within 5 seconds.'),
        '2XX': noBody('The event was received.'),
        403: {
          description: 'Rejects a UMA payment. For all other events, a failure.',
          content: { 'application/json': { schema: rejectionSchema } },
        },
        409: noBody('The event was received before.'),
        410: noBody('Disables the endpoint.'),
        422: noBody('Fails a UMA payment, because `requiredFields` are missing. For all other events, a failure.'),
        default: noBody('A failure. The service sends the event again for 7 days.'),
      },
    },
  },
}
