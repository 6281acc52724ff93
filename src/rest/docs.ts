// Serves the contract at `/openapi.json`, also below the version, and Swagger UI at `/docs`, without credentials.
// The page loads nothing from other origins.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { API_VERSION } from '#core/api-version.ts'
import { madeOnce } from '#core/made-once.ts'
import { createFile } from '#http/file.ts'
import { answerFile } from './files.ts'
import { router } from './router.ts'

/** Mounted at the root, outside of any API version. */
export const docRoutes = router()

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Paygraph REST ${API_VERSION}</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="contract"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#contract',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
})
`

/** Swagger UI sets styles from its script and embeds images in its style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const { resolve } = createRequire(import.meta.url)

type Content = string | Buffer<ArrayBuffer>

/** Reads the file at the first request and keeps it in memory. Clients may cache it for an hour. */
const serve = (path: string, type: string, read: () => Content | Promise<Content>) => {
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=3600',
    'content-security-policy': POLICY,
    vary: 'accept-encoding',
  }
  const fileOnce = madeOnce(async () => createFile(await read(), headers))
  docRoutes.get(path, async (context) => answerFile(context, await fileOnce()))
}

const JAVASCRIPT = 'text/javascript; charset=utf-8'

const serveSwaggerUi = (file: string, type: string) =>
  serve(`/docs/${file}`, type, () => readFile(resolve(`swagger-ui-dist/${file}`)))

for (const path of ['/openapi.json', `/${API_VERSION}/openapi.json`])
  serve(path, 'application/json', async () => {
    // It is read lazily, because most processes are never asked for it and it is as large as the rest of this folder.
    const { default: contract } = await import('./openapi.json', { with: { type: 'json' } })
    return JSON.stringify(contract)
  })
serve('/docs', 'text/html; charset=utf-8', () => PAGE)
serve('/docs/start.js', JAVASCRIPT, () => START)
serveSwaggerUi('swagger-ui-bundle.js', JAVASCRIPT)
serveSwaggerUi('swagger-ui.css', 'text/css; charset=utf-8')
serveSwaggerUi('favicon-32x32.png', 'image/png')
