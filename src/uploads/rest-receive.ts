// How routes receive files: in turns, with a slot for each statement.
import type { Context } from 'hono'
import type { PlatformId } from '#core/ids.ts'
import { inSlot } from '#http/platform-queue.ts'
import { readForm } from '#rest/multipart.ts'
import type { RestVariables } from '#rest/router.ts'
import { DOCUMENT_FILE, discardFile, type InSlot, receiveFile } from './file.ts'
import { inUploadTurn } from './turns.ts'

type Handler = Context<RestVariables>

/** Runs `receive` when the platform's upload gets its turn. */
export const receiving = <T>(context: Handler, platformId: PlatformId, receive: (inSlot: InSlot) => Promise<T>) => {
  const { requestContext } = context.env
  requestContext.platformId = platformId
  return inUploadTurn(platformId, () => receive((work) => inSlot(requestContext, platformId, work)))
}

/**
 * Receives a form with the part `file`, and passes its fields to `use`, with `uploadId` as the uuid of the file. Without the result of `use` the
 * file is deleted.
 */
export const receiveForm = <T>(
  context: Handler,
  use: (input: Readonly<Record<string, string>>, uploadId: string) => Promise<T>,
  form = DOCUMENT_FILE,
) => {
  const { platformId } = context.var.caller
  return receiving(context, platformId, async (slot) => {
    const { fields, file } = await readForm(
      context.req.raw,
      form.maxBytes,
      (bytes) => receiveFile(platformId, slot, bytes, form),
      discardFile,
    )
    try {
      return await slot(() => use(Object.fromEntries(fields), file.id))
    } catch (error) {
      await discardFile(file)
      throw error
    }
  })
}
