// Serves GraphiQL, in the demo with credentials and example queries. Scripts and styles have a hash in their path and are cached forever.
import { config } from '#core/config.ts'
import { madeOnce } from '#core/made-once.ts'
import { createFile, type File } from '#http/file.ts'
import type { RequestHead } from '#http/request-head.ts'
import { EXAMPLES } from './examples.ts'

const headers = JSON.stringify({ Authorization: `Basic ${btoa('demo:demo-secret')}` }, null, 2)

const demo = {
  defaultHeaders: headers,
  headers,
  shouldPersistHeaders: true,
  defaultTabs: EXAMPLES.map(({ query, variables }) => ({
    query,
    headers,
    variables: JSON.stringify(variables ?? {}, null, 2),
  })),
}

const options = { defaultEditorToolsVisibility: true, ...(config.demo && demo) }

// GraphiQL animates its tabs with offsets of an outdated layout. A pressed tab jumps away from the pointer, and the click is lost. This
// disables the animation.
const STILL_TABS = '.graphiql-tab { transform: none !important }'

/** The editor sets styles from its script, and the style sheet embeds images and fonts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HARDENED = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

const FOREVER = 'public, max-age=31536000, immutable'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Keyed by path. */
const files = new Map<string, File>()

/** Adds a file and returns its path, which contains the hash of the content. */
const addFile = async (name: string, type: string, content: string | Buffer<ArrayBuffer>): Promise<string> => {
  const file = await createFile(content, {
    ...HARDENED,
    'content-type': type,
    'cache-control': FOREVER,
    vary: 'accept-encoding',
  })
  const path = `/graphql/${file.hash.slice(1, 13)}/${name}`
  files.set(path, file)
  return path
}

const createPage = async (): Promise<File> => {
  const graphiql = await import('@graphql-yoga/render-graphiql/graphiql')
  const [icon, style, editor, json, graphql] = await Promise.all([
    addFile('favicon.ico', 'image/x-icon', Buffer.from(graphiql.favicon.split(',')[1] ?? '', 'base64')),
    addFile('graphiql.css', 'text/css; charset=utf-8', `${graphiql.css}\n${STILL_TABS}\n`),
    addFile('editor.worker.js', JAVASCRIPT, graphiql.editorWorkerService),
    addFile('json.worker.js', JAVASCRIPT, graphiql.jsonWorker),
    addFile('graphql.worker.js', JAVASCRIPT, graphiql.graphqlWorker),
  ])
  const workers = { editorWorkerService: editor, json, graphql }
  const script = `self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => (${JSON.stringify(workers)})[label] };
${graphiql.js};
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(options)})
`
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Paygraph</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="${style}">
  </head>
  <body class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script src="${await addFile('graphiql.js', JAVASCRIPT, script)}"></script>
  </body>
</html>
`
  return createFile(page, {
    ...HARDENED,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept, accept-encoding',
  })
}

/** Importing and compressing nine megabytes takes as long as the rest of a start, so the first request waits for it. */
const pageOnce = madeOnce(createPage)

const PAGE_PATH = /^\/graphql\/?$/

/** The page, or one of the files that it loads. */
export const graphiqlFileAt = async (path: string): Promise<File | undefined> => {
  const created = await pageOnce()
  return PAGE_PATH.test(path) ? created : files.get(path)
}

/** Whether a browser opens the page, or the path is below it. All other requests at this address are for GraphQL. */
export const isForGraphiql = (path: string, { method, header }: Pick<RequestHead, 'method' | 'header'>): boolean =>
  config.graphiql &&
  method === 'GET' &&
  (PAGE_PATH.test(path) ? header('accept')?.includes('text/html') === true : path.startsWith('/graphql/'))
