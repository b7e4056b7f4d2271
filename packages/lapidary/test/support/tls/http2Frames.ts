/** Frames of HTTP/2 (RFC 9113 §4), which a test writes itself: a client library would refuse to send most of them. */
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'

export const frameTypes = Object.freeze({
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
})

/** Flags of frames. */
export const endStream = 1
export const endHeaders = 4
export const acknowledged = 1

interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

export function formatFrame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

export const formatUint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The length of a text in HPACK: an integer with a prefix of seven bits (RFC 7541 §5.1). */
function formatLength(length: number): Buffer {
  if (length < 127) return Buffer.of(length)
  const bytes = [127]
  let rest = length - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.of(...bytes, rest)
}

const formatText = (text: string): Buffer => Buffer.concat([formatLength(text.length), Buffer.from(text, 'latin1')])

/** Header lines in HPACK, each written out. */
export const formatHeaders = (lines: readonly (readonly [name: string, value: string])[]): Buffer =>
  Buffer.concat(lines.flatMap(([name, value]) => [Buffer.of(0), formatText(name), formatText(value)]))

/** The head of a request. */
export const formatRequest = (
  method = 'GET',
  path = '/',
  lines: readonly (readonly [name: string, value: string])[] = [],
  authority = 'localhost',
): Buffer => formatHeaders([[':method', method], [':scheme', 'https'], [':path', path], [':authority', authority], ...lines])

/** A connection of frames. */
export interface FrameConnection {
  readonly socket: TLSSocket
  readonly received: readonly Frame[]
  /** Writes a frame. Resolves when the operating system has it. */
  readonly send: (type: number, flags: number, stream: number, payload?: Uint8Array) => Promise<void>
  /** Resolves with the first frame for which the predicate holds; with undefined where the connection closes first. */
  readonly find: (predicate: (frame: Frame) => boolean) => Promise<Frame | undefined>
  readonly closed: Promise<void>
}

/** Connects, and sends the preface. @param settings the payload of the first SETTINGS */
export async function connectFrames({ port }: { readonly port: number }, settings?: Uint8Array): Promise<FrameConnection> {
  const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const received: Frame[] = []
  const waiting = new Set<() => void>()
  let isClosed = false
  const notify = (): void => {
    for (const check of waiting) check()
  }
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      notify()
      resolve()
    })
  })
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3)
      received.push({ type: bytes.readUInt8(3), flags: bytes.readUInt8(4), stream: bytes.readUInt32BE(5), payload: bytes.subarray(9, end) })
      bytes = bytes.subarray(end)
    }
    notify()
  })
  await once(socket, 'secureConnect')
  const write = (payload: Uint8Array): Promise<void> => new Promise((resolve) => void socket.write(payload, () => resolve()))
  await write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), formatFrame(frameTypes.settings, 0, 0, settings)]))
  return {
    socket,
    received,
    closed,
    send: (type, flags, stream, payload) => write(formatFrame(type, flags, stream, payload)),
    find: (predicate) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = received.find(predicate)
          if (found === undefined && !isClosed) return
          waiting.delete(check)
          resolve(found)
        }
        waiting.add(check)
        check()
      }),
  }
}

/** The code of a RST_STREAM or GOAWAY. */
export const getErrorCode = ({ type, payload }: Frame): number => payload.readUInt32BE(type === frameTypes.goaway ? 4 : 0)
