// `/uploads`: where staged uploads are sent. The token in the path is the only credential.
import { readBytes } from '#core/body.ts'
import { ApiError } from '#core/errors.ts'
import type { UploadRoute } from '#http/uploads.ts'
import { router } from '#rest/router.ts'
import { placeOfToken } from './address.ts'
import { MAX_DOCUMENT_BYTES } from './file.ts'
import { receiving } from './rest-receive.ts'
import { receiveUpload } from './staged.ts'

export const uploadRoutes = router()

uploadRoutes.put('/:token', async (context) => {
  const place = placeOfToken(context.req.param('token'))
  if (!place) throw new ApiError('FORBIDDEN', 'The upload address is not valid')
  const { body } = context.req.raw
  await receiving(context, place.platformId, (slot) => receiveUpload(place, slot, readBytes(body, MAX_DOCUMENT_BYTES)))
  return context.body(null, 204)
})

export const stagedUpload: UploadRoute = {
  method: 'PUT',
  path: '/uploads/:token',
  maxBytes: MAX_DOCUMENT_BYTES,
  isForm: false,
}
