/** Refuses connections beyond a limit: at once, with an answer, so that those that are there stay well served. */
import type { Server, Socket } from 'node:net'
import { rejectConnection } from './nodeTrouble.ts'

/** So many refused clients are given the time to read it; beyond them connections are cut. */
const maxRejectedConnections = 100

/** Serves `most` connections at once. Node's own `maxConnections` would cut the others without a word. */
export function limitConnections(server: Server, most: number): void {
  /** Those that make requests of what comes. */
  const serving = server.listeners('connection')
  let open = 0
  let refused = 0

  const refuse = (socket: Socket): void => {
    if (refused >= maxRejectedConnections) return void socket.destroy()
    refused += 1
    socket.once('close', () => {
      refused -= 1
    })
    rejectConnection(socket, 503)
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (open >= most) return refuse(socket)
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    for (const serve of serving) Reflect.apply(serve, server, [socket])
  })
}
