// Starts worker processes: each server and the load generator run in their own process.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleOf } from '../dev/build.mjs'

type Environment = Readonly<Record<string, string>>

export interface Worker {
  /** Sends a message and returns the reply. */
  ask<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

/** Runs a file of this folder in a new process of this Node. `hello` is its first message. */
export const startWorker = <Hello>(file: string, environment: Environment = {}, node = process.execPath) =>
  start<Hello>(fileURLToPath(new URL(file, import.meta.url)), environment, node, [
    '--import',
    import.meta.resolve('tsx'),
  ])

/** Runs the gateway as in production: from a bundle, with the arguments of the Dockerfile and the compiled code of an earlier start. */
export const startGateway = async (environment: Environment, node = process.execPath) => {
  const file = await bundleOf('bench', 'gateway')
  const cache = join(dirname(file), '.compile-cache')
  const begin = () => start<{ url: string }>(file, { ...environment, NODE_COMPILE_CACHE: cache }, node, nodeArguments())
  if (mkdirSync(cache, { recursive: true })) await (await begin()).stop()
  return begin()
}

const nodeArguments = (): string[] => {
  const [, given = ''] =
    /^ENV NODE_ARGUMENTS="(.*)"$/m.exec(readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8')) ?? []
  return given.split(' ')
}

const start = async <Hello>(
  file: string,
  environment: Environment,
  execPath: string,
  execArgv: string[],
): Promise<Worker & { hello: Hello }> => {
  // As in the Dockerfile. The servers that the gateway is compared with need less memory with it as well.
  const env = { ...process.env, NODE_ENV: 'production', MALLOC_ARENA_MAX: '1', ...environment }
  const child = fork(file, { execPath, execArgv, env })
  const hello = await nextMessage<Hello>(child, file)
  return {
    hello,
    ask: <Answer>(question: unknown) => {
      const answer = nextMessage<Answer>(child, file)
      child.send(question as object)
      return answer
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

const nextMessage = async <Message>(child: ChildProcess, file: string): Promise<Message> => {
  const waiting = new AbortController()
  const { signal } = waiting
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${file} ended`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), exit])
    if ('failure' in message) throw new Error(`${file}: ${message.failure}`)
    return message
  } finally {
    waiting.abort()
    exit.catch(() => {})
  }
}
