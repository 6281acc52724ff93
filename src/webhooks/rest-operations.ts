// `/webhooks`: the endpoint's keys.
import { answer, body, failures, type Operations } from '#rest/operation.ts'
import { rotationSchema } from './rest-schema.ts'
import { keyRotation, ROTATION_HOURS } from './rotation.ts'

const tags = ['Webhooks']

export const webhookOperations: Operations = {
  '/webhooks/key/rotate': {
    post: {
      operationId: 'rotateWebhookKey',
      summary: 'Change the signing key',
      description: `Makes the next signing key and secret. Webhooks carry both signatures for ${ROTATION_HOURS} hours, or until \`finish\`. 400 \`WEBHOOK_ENDPOINT_NOT_SET\`; 409 with the reason \`ROTATION_OPEN\` or \`NO_ROTATION\`.`,
      tags,
      requestBody: body(
        keyRotation.meta({ id: 'WebhookKeyRotationRequest', description: 'Whether to begin or to end a rotation.' }),
        { finish: false },
        false,
      ),
      responses: { 200: answer('The keys.', rotationSchema), ...failures(409) },
    },
  },
}
