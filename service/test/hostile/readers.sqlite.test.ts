/** Downloads of large files: slow clients, clients that disconnect, and a file that shrinks. */
import { existsSync, readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Child, child } from './child.ts'
import { get } from './row.ts'

const hasProc = existsSync('/proc/self/fd')
const megabyte = 1_048_576
/** `npm run fuzz` has many more. */
const leaving = process.env['HOSTILE'] === 'whole' ? 10_000 : 200

let it: Child
beforeAll(async () => {
  it = await child()
})
afterAll(() => it.close())

/** How often the service has a file open. */
const opened = (name: string): number =>
  readdirSync(`/proc/${it.pid}/fd`).filter((descriptor) => {
    try {
      return readlinkSync(`/proc/${it.pid}/fd/${descriptor}`).endsWith(name)
    } catch {
      // It was closed in the meantime.
      return false
    }
  }).length

/** Asks for a file and reads until this many bytes have come, then no more. */
async function reading(name: string, enough: number): Promise<Socket> {
  const socket = connect(it.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(get(`/static/${name}`))
  let length = 0
  await new Promise<void>((resolve) => {
    const counted = (bytes: Buffer): void => {
      length += bytes.length
      if (length < enough) return
      socket.off('data', counted)
      socket.pause()
      resolve()
    }
    socket.on('data', counted)
  })
  return socket
}

describe.runIf(hasProc)('a file of a gigabyte', () => {
  test('four slow clients take less than 32 MB', async () => {
    const { resident } = await it.health(true)
    const readers = await Promise.all(Array.from({ length: 4 }, () => reading('huge.bin', megabyte)))
    expect((await it.health(true)).resident - resident).toBeLessThan(32 * megabyte)
    for (const reader of readers) reader.resetAndDestroy()
  })

  test('the file is closed within a second after a reset', async () => {
    const readers = await Promise.all(Array.from({ length: 10 }, () => reading('huge.bin', 1)))
    expect(opened('/huge.bin')).toBeGreaterThan(0)
    for (const reader of readers) reader.resetAndDestroy()
    await vi.waitFor(() => expect(opened('/huge.bin')).toBe(0), { timeout: 1_000, interval: 20 })
  })
})

test('a file that shrinks while it is sent: the connection is closed, the body never padded', async () => {
  const reader = await reading('shrinking.bin', 1)
  let length = 0
  reader.on('data', (bytes: Buffer) => {
    length += bytes.length
  })
  truncateSync(join(it.folder, 'static-files', 'shrinking.bin'), megabyte)
  const closed = new Promise((resolve) => reader.once('close', resolve))
  reader.resume()
  await closed
  // What the system had taken on its way before is more than what is left of the file, and far less than what was promised.
  expect(length).toBeLessThan(64 * megabyte)
})

test(`${leaving} clients of a stream that disconnect at once leave nothing behind`, async () => {
  const before = await it.health(true)
  for (let round = 0; round < leaving / 50; round += 1) {
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = connect(it.port, '127.0.0.1')
        socket.on('error', () => {})
        await new Promise((resolve) => socket.write(get('/userStream'), resolve))
        socket.resetAndDestroy()
      }),
    )
  }
  await vi.waitFor(
    async () => {
      const { sockets, descriptors, heap } = await it.health(true)
      expect(sockets).toBe(0)
      expect(descriptors).toBeLessThanOrEqual(before.descriptors + 6)
      expect(heap).toBeLessThan(before.heap + 8 * megabyte)
    },
    { timeout: 12_000, interval: 100 },
  )
}, 120_000)
