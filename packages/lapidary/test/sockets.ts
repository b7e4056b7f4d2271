/** Connections of a test's own, and handlers that cannot be answered for. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { HttpHandler } from 'lapidary/server'
import { onTestFinished } from 'vitest'

/** A connection, which ends with the test. */
export async function connected({ port }: { readonly port: number }): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // Whoever is cut while sending hears of it.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** What a wrapper around a server may do wrong: nobody but the adapter is there to see it. */
export const failing: readonly (readonly [sentence: string, kernel: HttpHandler])[] = [
  [
    'throws',
    () => {
      throw new Error('a wrapper')
    },
  ],
  ['rejects', () => Promise.reject(new Error('a wrapper'))],
  ['answers what cannot be sent', () => ({ status: 200, headers: ['X', 'a\r\nb'], body: '' })],
  ['answers later what cannot be sent', async () => ({ status: 200, headers: ['X', 'a\r\nb'], body: '' })],
]
