// Prism, which knows only the REST contract: a proxy that reports where a request or response violates it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url))

export interface Prism {
  /** Replaces the base address with the version: `/transactions` comes after it. */
  readonly url: string
  close(): Promise<void>
}

/** Runs between callers and the gateway at `upstream`, which ends with the version. Rejects an invalid contract. */
export const startPrism = async (contract: object, upstream: string): Promise<Prism> => {
  const folder = mkdtempSync(join(tmpdir(), 'paygraph-prism-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(contract))
  const child = spawn(process.execPath, [BIN, 'proxy', file, upstream, '--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  let log = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      log += text
      const listening = /listening on (http:\/\/\S+?)\s/.exec(log)
      if (listening?.[1]) resolve(listening[1])
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    void exited.then(() => reject(new Error(`Prism ended:\n${log}`)))
  })
  return {
    url,
    close: async () => {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Prism blocks for seconds while it compiles a large schema, and may then use a connection that the gateway has closed in the meantime. Nothing
 * was sent in that case, so the request is sent again.
 */
export const fetchThrough = async (url: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, init)
  const isCut = response.status === 500 && (await response.clone().text()).includes('socket hang up')
  return isCut ? fetch(url, init) : response
}

export interface Violation {
  /** The location: `response body data 0 amount`. */
  readonly at: string
  readonly message: string
}

interface Reported {
  readonly location: readonly string[]
  readonly message: string
}

/** The findings that count: all about responses, and those about requests that the gateway accepted. */
export const violationsOf = ({ headers, ok }: Response): readonly Violation[] => {
  const text = headers.get('sl-violations')
  if (text === null) return []
  if (!text.startsWith('[')) return [{ at: 'many', message: text }]
  return (JSON.parse(text) as Reported[])
    .filter(({ location }) => location[0] === 'response' || ok)
    .map(({ location, message }) => ({ at: location.join(' '), message }))
}

interface Contract {
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** The same contract, with no additional members allowed in responses. Requests may still have more. */
export const closed = <C extends Contract>(contract: C): C => {
  const { schemas } = contract.components
  const closedSchemas = Object.entries(schemas).map(([name, schema]) => [
    name,
    name.endsWith('Request') ? schema : withoutMore(schema, schemas),
  ])
  return { ...contract, components: { ...contract.components, schemas: Object.fromEntries(closedSchemas) } }
}

interface Part {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: object
  readonly additionalProperties?: unknown
  readonly allOf?: readonly Part[]
}

/** A part of `allOf` must allow the members of the others. */
const withoutMore = (schema: object, schemas: Contract['components']['schemas']) =>
  JSON.parse(JSON.stringify(schema), (_name, part: Part | null) => {
    if (part?.allOf) {
      const parts = part.allOf.map(({ $ref, ...own }) => ({ ...($ref ? schemas[$ref.split('/').at(-1) ?? ''] : own) }))
      return {
        ...part,
        allOf: parts.map((each: Part) => ({ ...each, additionalProperties: true })),
        unevaluatedProperties: false,
      }
    }
    const isClosed = part?.type === 'object' && part.properties && part.additionalProperties === undefined
    return isClosed ? { ...part, additionalProperties: false } : part
  })
