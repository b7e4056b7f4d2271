/** Sends one row over its own socket, and checks the replies. */
import { connect, type Socket } from 'node:net'
import { flawsOf } from './lint.ts'
import { type Read, repliesIn } from './replies.ts'
import { requestsIn } from './requests.ts'
import { get, type Row } from './row.ts'

/** The longest exchange in milliseconds, with a reserve for a busy machine. */
export const responseTimeout = 10_000 + 3_000

/** What a piece can do besides being sent. */
export interface Wire {
  readonly socket: Socket
  /** Everything that came so far, as Latin-1. */
  readonly received: () => string
  /** Resolves when this has come, or when the connection is closed. */
  readonly until: (wanted: RegExp) => Promise<void>
  /** Resolves after this many milliseconds, or when the connection is closed. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly isClosed: () => boolean
  /** Resolves when these bytes are on their way, or cannot be any more. */
  readonly write: (piece: string | Uint8Array) => Promise<void>
}

const probe = get('/health/live', 'Connection: close')

export interface Open extends Wire {
  readonly sent: () => string
  /** Resolves with true as soon as `done`, or with false when the connection is closed or after the timeout. */
  readonly when: (done: () => boolean, longest?: number) => Promise<boolean>
}

/** A connection that records the bytes in both directions. */
export function open(port: number, from?: string): Open {
  const socket = connect({ port, host: '127.0.0.1', ...(from === undefined ? {} : { localAddress: from }) })
  const sent: Buffer[] = []
  let received = ''
  let closed = false
  const waiting = new Set<() => void>()
  const notify = (): void => {
    for (const look of waiting) look()
  }
  socket.setNoDelay(true).on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
    notify()
  })
  // Ignored, because the bytes before it show how the connection ended. A reset leaves the reply incomplete.
  socket.on('error', () => {})
  socket.once('close', () => {
    closed = true
    notify()
  })
  const when = (done: () => boolean, longest = responseTimeout): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (outcome: boolean): void => {
        clearTimeout(timer)
        waiting.delete(look)
        resolve(outcome)
      }
      const look = (): void => {
        if (done()) end(true)
        else if (closed) end(false)
      }
      const timer = setTimeout(() => end(false), longest)
      waiting.add(look)
      look()
    })
  const write = (piece: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      if (closed || !socket.writable) return resolve()
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece)
      sent.push(bytes)
      socket.once('close', resolve)
      socket.write(bytes, () => {
        socket.off('close', resolve)
        resolve()
      })
    })
  return {
    socket,
    sent: () => Buffer.concat(sent).toString('latin1'),
    received: () => received,
    isClosed: () => closed,
    until: async (wanted) => void (await when(() => wanted.test(received))),
    pause: async (milliseconds) => void (await when(() => false, milliseconds)),
    write,
    when,
  }
}

/** What came of a row. */
export interface Played extends Read {
  /** Nothing where all is as it has to be. */
  readonly flaws: readonly string[]
  readonly received: string
}

/** Sends the pieces of a row and waits for what it expects; then asks once more on the same connection, where that has to be open. */
export async function play({ pieces, statuses, stays, from, also }: Row, port: number): Promise<Played> {
  const wire = open(port, from)
  for (const piece of pieces) await (typeof piece === 'function' ? piece(wire) : wire.write(piece))
  const { methods, most } = requestsIn(wire.sent())
  const read = (): Read => repliesIn(wire.received(), methods)
  const flaws: string[] = []
  const isComplete = await wire.when(() => stays !== false && read().replies.filter(({ whole }) => whole).length >= statuses.length)
  if (!isComplete && !wire.isClosed()) flaws.push('it hangs')
  if (isComplete && stays !== false) {
    await wire.write(probe)
    if (!(await wire.when(wire.isClosed))) flaws.push('it hangs afterwards')
  }
  wire.socket.destroy()
  const { replies: all, interim, flaws: unreadable } = repliesIn(wire.received(), [...methods, 'GET'])
  const last = all.length > statuses.length ? all.at(-1) : undefined
  const isProbe = last?.status === 200 && last.body.toString() === '{"status":"up"}'
  const replies = isProbe && stays !== false ? all.slice(0, -1) : all
  if (stays === true && !isProbe) flaws.push('the connection is not good any more')
  flaws.push(...unreadable)
  if (replies.length > most) flaws.push(`${replies.length} replies to ${most} requests`)
  const fits = ({ status }: Read['replies'][number], index: number): boolean => [statuses[index] ?? []].flat().includes(status)
  if (replies.length !== statuses.length || !replies.every(fits)) {
    flaws.push(`replied ${replies.map(({ status }) => status)} in place of ${statuses.map((status) => [status].flat().join('|'))}`)
  }
  replies.forEach((reply, index) => {
    flaws.push(...flawsOf(reply, methods[index]).map((flaw) => `reply ${index + 1} (${reply.status}): ${flaw}`))
  })
  if (wire.received().includes('smuggled')) flaws.push('a hidden request was run')
  const further = also?.(replies)
  if (further !== undefined) flaws.push(further)
  return { flaws, replies, interim, received: wire.received() }
}
