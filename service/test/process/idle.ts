/** Idle connections, and the memory of each. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Child, Health } from '../hostile/child.ts'
import { get } from '../hostile/row.ts'
import { caller } from './caller.ts'
import { left } from './left.ts'

export interface Idle {
  readonly connections: number
  /** Bytes for each connection. */
  readonly resident: number
  readonly heap: number
  /** The longest that an answer took while they were there, in milliseconds. */
  readonly slowest: number
  /** Before they came, while they were there, and when they had gone. */
  readonly before: Health
  readonly among: Health
  readonly after: Health
}

const hello = get('/hello')

/** Connects, asks once, reads the answer and stays. */
async function guest(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(hello)
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  if (!bytes.toString().startsWith('HTTP/1.1 200 ')) throw new Error(`A connection was not served: ${bytes.toString()}`)
  return socket.on('error', () => {})
}

/** How many connect at a time: fewer than the system lets wait to be accepted. */
const atOnce = 100

async function guests(port: number, count: number): Promise<readonly Socket[]> {
  const all: Socket[] = []
  while (all.length < count) {
    all.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - all.length) }, () => guest(port)))))
  }
  return all
}

/** Resets them all, and resolves when the service has noticed. */
async function gone(sockets: readonly Socket[], service: Child): Promise<void> {
  await Promise.all(sockets.map((socket) => once(socket.resetAndDestroy(), 'close')))
  await left(service)
}

/** Keeps this many connections to the service, which has to allow as many. */
export async function idle(service: Child, connections: number): Promise<Idle> {
  // What the first ones cost is not theirs: code is compiled, and pools are filled.
  await gone(await guests(service.port, 2 * atOnce), service)
  const before = await service.health(true)
  const sockets = await guests(service.port, connections)
  const among = await service.health(true)
  let slowest = 0
  const other = caller(service.url, false, (milliseconds) => {
    slowest = Math.max(slowest, milliseconds)
  })
  for (let count = 0; count < 50; count += 1) {
    const { status } = await other.send({ target: `/position/${count}/0` })
    if (status !== 200) throw new Error(`Among ${connections} connections another one was answered ${status}`)
  }
  other.close()
  // No client was disconnected meanwhile.
  const lost = sockets.filter((socket) => socket.destroyed || socket.readableEnded).length
  if (lost > 0) throw new Error(`${lost} of ${connections} connections were not kept`)
  await gone(sockets, service)
  const after = await service.health(true)
  const each = (size: (health: Health) => number): number => (size(among) - size(before)) / connections
  return { connections, resident: each(({ resident }) => resident), heap: each(({ heap }) => heap), slowest, before, among, after }
}
