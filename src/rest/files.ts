// Answers with a public file.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { answerWithFile, type File } from '#http/file.ts'

export const answerFile = (context: Context, file: File): Response => {
  const { status, headers, body } = answerWithFile(file, (name) => context.req.header(name))
  return context.body(body, status as ContentfulStatusCode, headers)
}
