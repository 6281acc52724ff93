import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartProblem } from '#core/environment.ts'

/** The address at which the server now listens. A port that cannot be had stops the start; `variable` is where it was set. */
export const listenAt = async (server: Server, variable: string, port: number): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartProblem(
          error.code === 'EADDRINUSE'
            ? `${variable} ${port} is taken: another process serves there. Choose another, or 0 for any that is free.`
            : `${variable} must be one to serve at: ${error.message}`,
        ),
      ),
    )
    server.listen(port, resolve)
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
