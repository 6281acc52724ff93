// Starts the gateway as `npm start` does, on the Node that runs this file, and expects the answer to one query.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import module from 'node:module'

const CACHE = '.bundle-start/.compile-cache'

const query = '{ transactions(first: 1) { nodes { ... on TransactionNode { id } } } }'

const ask = async (url) => {
  const headers = { authorization: `Basic ${btoa('demo:demo-secret')}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { data } = await response.json()
  return data?.transactions.nodes[0]?.id
}

const env = { ...process.env, PORT: '0' }
const gateway = spawn(process.execPath, ['dev/start.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const ended = once(gateway, 'exit')
let output = ''
let answer
for await (const text of gateway.stdout.setEncoding('utf8')) {
  output += text
  const url = /GraphiQL +(\S+)\n/.exec(output)?.[1]
  if (!url) continue
  answer = await ask(url).catch(String)
  break
}
gateway.kill()
await ended
// Since Node 22, the first start keeps compiled code for the next one.
const files = existsSync(CACHE) ? readdirSync(CACHE, { recursive: true }) : []
const isOfThisNode = (file) => file.startsWith(`${process.version}-`) && file.includes('/')
const isKept = !module.enableCompileCache || files.some(isOfThisNode)
console.log(`Node ${process.version}: ${answer}${isKept ? '' : `, but ${CACHE} has no code`}`)
if (!/^\w+Transaction:/.test(answer) || !isKept) {
  console.log(output)
  process.exitCode = 1
}
