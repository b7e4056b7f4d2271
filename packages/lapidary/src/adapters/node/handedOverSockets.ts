/** Connections that node:http hands to listeners: upgrades, such as WebSockets, and tunnels. Node no longer counts them as its own. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { keepHttp2Offers } from './internals.ts'

/**
 * Finds the connections that a server hands over, from the first listener for `upgrade` on. A listener of ours alone would take these requests
 * from the handler.
 *
 * @param onHandOver called with each of them
 */
export function watchUpgrades(server: Server, onHandOver: (socket: Duplex) => void): void {
  const onUpgrade = (_request: IncomingMessage, socket: Duplex): void => {
    // Node has removed its own. A client that leaves while a listener still waits, for a user or a database, would end the process.
    socket.on('error', () => {})
    onHandOver(socket)
  }
  server.on('newListener', (event, listener) => {
    if (event !== 'upgrade' || listener === onUpgrade || server.listenerCount('upgrade') > 0) return
    server.on('upgrade', onUpgrade)
    keepHttp2Offers()
  })
  server.on('removeListener', (event, listener) => {
    if (event === 'upgrade' && listener !== onUpgrade && server.listenerCount('upgrade') === 1) server.off('upgrade', onUpgrade)
  })
}
