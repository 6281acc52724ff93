// An address of a database that is switched, as by a pooler or a name.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** An address that leads to one server, and later to another one. */
export const startAddress = async (first: string) => {
  let to = new URL(first)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const there = connect(Number(to.port), to.hostname)
    sockets.add(socket)
    for (const [one, other] of [[socket, there] as const, [there, socket] as const])
      one.on('error', () => {}).on('close', () => other.destroy())
    socket.pipe(there).pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(first)
  url.port = String((server.address() as AddressInfo).port)
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    leadTo: (next: string) => {
      to = new URL(next)
      cutAll()
    },
    close: () => {
      server.close()
      cutAll()
    },
  }
}
