/** Connections of a test's own, and handlers whose responses cannot be sent. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { HttpHandler } from 'lapidary/server'
import { onTestFinished } from 'vitest'

/** A connection, which ends with the test. */
export async function connected({ port }: { readonly port: number }): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // A client that is disconnected while it sends gets an error.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** What middleware may do wrong: only the adapter sees it. */
export const failing: readonly (readonly [sentence: string, handler: HttpHandler])[] = [
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
