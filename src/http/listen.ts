import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { config } from '#core/config.ts'
import { StartupError } from '#core/environment.ts'

/** Whether the host is why a server cannot listen: its name has no address, or its address is not one of this machine. */
const isOfHost = ({ code, syscall }: NodeJS.ErrnoException) => syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL'

/** Listens and returns the URL. Throws a `StartupError` if that is not possible; `variable` is the setting of the port. */
export const listenAt = async (server: Server, variable: string, port: number): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartupError(
          error.code === 'EADDRINUSE'
            ? `${variable} ${port} is in use by another process. Choose another port, or 0 for any free one.`
            : `${isOfHost(error) ? 'HOST' : variable} cannot be used: ${error.message}`,
        ),
      ),
    )
    server.listen({ port, ...(config.host !== null && { host: config.host }) }, resolve)
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
