// HTTP byte by byte, to send what a well-behaved client would not, and to see when the connection closes.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** 0 if the connection closed without a response. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** Whether the server has closed the connection. */
  readonly isClosed: boolean
}

export const open = (url: string): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // The connection may be reset; what was received until then counts.
  socket.on('error', () => {})
  return socket
}

/** The request line, the headers, and the body as far as given, sent at once. */
export const head = (method: string, target: string, headers: Readonly<Record<string, string>> = {}) =>
  [`${method} ${target} HTTP/1.1`, ...Object.entries({ host: 'gateway', ...headers }).map((entry) => entry.join(': '))]
    .map((line) => `${line}\r\n`)
    .join('')
    .concat('\r\n')

/** The response and, if asked for, whether the connection closes within a second after it. */
export const sendRaw = async (
  url: string,
  bytes: string | Buffer,
  { waitsForEnd = false } = {},
): Promise<RawAnswer> => {
  const socket = open(url)
  let received = ''
  let isClosed = false
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => {
    isClosed = true
  })
  socket.setEncoding('latin1').on('data', (text) => (received += text))
  socket.write(bytes)
  const deadline = performance.now() + 12_000
  while (!isClosed && !isWhole(received) && performance.now() < deadline) await pause(2)
  if (waitsForEnd) await Promise.race([closed, pause(1_000)])
  const answer = { ...parse(Buffer.from(received, 'latin1').toString()), isClosed }
  socket.destroy()
  return answer
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const parse = (text: string) => {
  const [top = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
  const [first = '', ...lines] = top.split('\r\n')
  const headers = new Map(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]).map(lowerName))
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0), headers, body }
}

const lowerName = ([name, value]: [string, string]): [string, string] => [name.toLowerCase(), value]

const isWhole = (received: string) => {
  const [, top = '', body] = /^(.*?\r\n)\r\n(.*)$/s.exec(received) ?? []
  if (body === undefined) return false
  const length = /^content-length: (\d+)\r$/im.exec(top)?.[1]
  return length === undefined
    ? !/^transfer-encoding:/im.test(top) || body.endsWith('0\r\n\r\n')
    : body.length >= Number(length)
}

/** The error code in the body, over GraphQL or REST. */
export const codeOf = ({ body }: RawAnswer) => {
  const { code, errors } = JSON.parse(body) as { code?: string; errors?: { extensions: { code: string } }[] }
  return code ?? errors?.[0]?.extensions.code
}
