// Redeeming a device code, which needs no credentials.

import { connectionBody } from '#agents/rest-body.ts'
import { router } from '#rest/router.ts'
import { redeemDeviceCode } from './device-code.ts'

export const redeemRoutes = router()

redeemRoutes.post('/:code/redeem', async (context) =>
  context.json(connectionBody(await redeemDeviceCode(context.env.clientAddress(), context.req.param('code')))),
)
