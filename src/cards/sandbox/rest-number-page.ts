// Shows the page of a card's number to its holder, who may see it in a frame of the platform's app. It has no script, and is not stored anywhere.
import { createHash } from 'node:crypto'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { inSlot } from '#http/platform-queue.ts'
import { router } from '#rest/router.ts'
import { type CardNumber, openNumberPage, placeOfPage } from './number-page.ts'

export const numberPageRoutes = router()

const STYLE =
  'body{margin:0;padding:1rem;font:1rem/1.5 system-ui,sans-serif}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0}dd{margin:0;font-family:ui-monospace,monospace}'

const policy = () =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    ["frame-ancestors 'self'", ...config.corsOrigins].join(' '),
  ].join('; ')

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>${STYLE}</style>
  </head>
  <body>
${body}
  </body>
</html>
`

const numberPage = ({ number, expiry, securityCode }: CardNumber) =>
  page(
    'Card number',
    `    <dl>
      <dt>Card number</dt><dd>${number.replace(/(.{4})(?=.)/g, '$1 ')}</dd>
      <dt>Expires</dt><dd>${expiry}</dd>
      <dt>Security code</dt><dd>${securityCode}</dd>
    </dl>
    <p>A test card of the sandbox. This page is shown once.</p>`,
  )

const GONE = page('Not available', '    <p>This page was shown before, or it has expired. Ask for a new one.</p>')
const UNKNOWN = page('Not found', '    <p>There is no such page.</p>')

numberPageRoutes.get('/:token', async (context) => {
  // HEAD would use up the page without showing it.
  if (context.req.method !== 'GET') {
    context.header('allow', 'GET')
    throw new ApiError('METHOD_NOT_ALLOWED', 'Use GET')
  }
  const token = context.req.param('token')
  const place = placeOfPage(token)
  const found = place && (await inSlot(context.env.requestContext, place.platformId, () => openNumberPage(token)))
  const [status, html] =
    found === undefined ? [404, UNKNOWN] : found === 'GONE' ? [410, GONE] : [200, numberPage(found)]
  return context.html(html, status as ContentfulStatusCode, {
    'cache-control': 'no-store',
    'content-security-policy': policy(),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
})
