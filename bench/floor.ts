// The floor: a minimal server for the query of record with node:http, pg, one handwritten statement and JSON.stringify.
// Like the gateway, it looks up the token once per request; `/open` skips that. `/planned` uses prepared statements, which are planned
// once per connection, because planning eight joins costs several times as much as running them. `/text` also writes the text of the
// rows as JSON, without objects in between, and remembers a token for half a second: what the gateway does, by hand.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { pageBody, type Row } from './floor-body.ts'
import { pageOf, TOKEN } from './floor-statement.ts'
import { pageWriter, type TextRow } from './floor-text.ts'
import { usage } from './usage.ts'

const { DATABASE_URL: connectionString } = process.env
const poolOf = (options: string) => new pg.Pool({ connectionString, max: 4 * availableParallelism(), options })
const naive = poolOf('-c jit=off')
const planned = poolOf('-c jit=off -c plan_cache_mode=force_generic_plan')

const platformOf = async (pool: pg.Pool, name: string, authorization = ''): Promise<string | undefined> => {
  const [clientId, secret = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
  const { rows } = await pool.query<{ platform_id: string; secret_hash: Buffer }>({
    ...(name && { name: `token ${name}` }),
    text: TOKEN,
    values: [clientId],
  })
  const hash = createHash('sha256').update(secret).digest()
  return rows[0] && timingSafeEqual(rows[0].secret_hash, hash) ? rows[0].platform_id : undefined
}

const { rows: platforms } = await naive.query<{ id: string }>(`select id from platforms where name = 'demo'`)
const demo = platforms[0]?.id

const known = new Map<string, { readonly platformId: string; readonly until: number }>()

const knownPlatform = async (authorization = ''): Promise<string | undefined> => {
  const key = createHash('sha256').update(authorization).digest('base64')
  const found = known.get(key)
  if (found && found.until > performance.now()) return found.platformId
  const platformId = await platformOf(planned, 'text', authorization)
  if (platformId) known.set(key, { platformId, until: performance.now() + 500 })
  return platformId
}

const TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value }
let writePage: ReturnType<typeof pageWriter> | undefined

const answerAsText = async (first: number, platformId: string): Promise<string> => {
  const statement = { name: `text of ${first}`, text: pageOf(first), values: [platformId] }
  const { rows, fields } = await planned.query<(string | null)[]>({ ...statement, rowMode: 'array', types: TEXT })
  writePage ??= pageWriter(fields.map(({ name }) => name))
  return writePage(rows satisfies TextRow[], first)
}

const answer = async ({ url = '', headers }: IncomingMessage): Promise<string | undefined> => {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const first = Number(searchParams.get('first'))
  if (pathname === '/text') {
    const known = await knownPlatform(headers.authorization)
    return known && answerAsText(first, known)
  }
  const [pool, name] = pathname === '/planned' ? [planned, `page of ${first}`] : [naive, '']
  const platformId = pathname === '/open' ? demo : await platformOf(pool, name, headers.authorization)
  if (!platformId) return undefined
  const { rows } = await pool.query<Row>({ ...(name && { name }), text: pageOf(first), values: [platformId] })
  return JSON.stringify(pageBody(rows, first))
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) =>
      response
        .writeHead(body ? 200 : 401, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body ?? ''),
        })
        .end(body),
    (error) => response.writeHead(500).end(String(error)),
  )
})

server.listen(0, () => {
  process.send?.({ url: `http://localhost:${(server.address() as AddressInfo).port}` })
})
process.on('message', () => process.send?.(usage()))
process.on('disconnect', () => process.exit())
