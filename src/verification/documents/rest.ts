// `/documents`: files come as multipart/form-data.
import { requirePermission } from '#core/caller.ts'
import type { UploadRoute } from '#http/uploads.ts'
import { FORM_BYTES } from '#rest/multipart.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import { MAX_DOCUMENT_BYTES } from '#uploads/file.ts'
import { receiveForm } from '#uploads/rest-receive.ts'
import { createDocument, deleteDocument, readDocument, replaceDocument } from './document.ts'
import { DOCUMENT_PARAMETERS, documentList } from './list.ts'
import { documentBody } from './rest-body.ts'

export const documentRoutes = router()

documentRoutes.post('/', async (context) => {
  const { caller } = context.var
  requirePermission(caller, 'MANAGE')
  const created = await receiveForm(context, (input, uploadId) => createDocument(caller, input, uploadId))
  return context.json(documentBody(created), 201)
})

documentRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, documentList, DOCUMENT_PARAMETERS)
  return sendPage(context, found, found.page.items.map(documentBody))
})

documentRoutes.get('/:id', async (context) =>
  context.json(documentBody(await readDocument(context.var.caller, context.req.param('id')))),
)

documentRoutes.put('/:id', async (context) => {
  const { caller } = context.var
  requirePermission(caller, 'MANAGE')
  const id = context.req.param('id')
  const replaced = await receiveForm(context, (input, uploadId) => replaceDocument(caller, id, input, uploadId))
  return context.json(documentBody(replaced))
})

documentRoutes.delete('/:id', async (context) => {
  await deleteDocument(context.var.caller, context.req.param('id'))
  return context.body(null, 204)
})

const form = { maxBytes: MAX_DOCUMENT_BYTES + FORM_BYTES, isForm: true }

export const documentUploads: readonly UploadRoute[] = [
  { method: 'POST', path: '/documents', ...form },
  { method: 'PUT', path: '/documents/:id', ...form },
]
