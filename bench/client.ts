// Sends requests with less than half the CPU of `node:http`, because the servers that are measured share the machine with the client.
import type { Agent } from 'undici'

export interface Answer {
  readonly status: number
  readonly body: readonly Uint8Array[]
}

export const send = (agent: Agent, url: string, sent: Omit<Agent.DispatchOptions, 'path'>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let status = 0
    const body: Uint8Array[] = []
    const { origin, pathname, search } = new URL(url)
    agent.dispatch(
      { ...sent, origin, path: pathname + search },
      {
        // Required by undici.
        onRequestStart: () => {},
        onResponseStart: (_controller, code) => {
          status = code
        },
        onResponseData: (_controller, chunk) => {
          body.push(chunk)
        },
        onResponseEnd: () => resolve({ status, body }),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
