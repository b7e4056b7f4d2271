/** `streamFileRange` over a real file of 300,000 bytes: its chunks, and when the file is closed. */
import { getEventListeners, setMaxListeners } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { streamFileRange } from '../../src/static/fileBytes.ts'

const home = mkdtempSync(join(tmpdir(), 'lapidary-bytes-'))
const path = join(home, 'large.bin')
const size = 300_000

const isOpen = (): boolean =>
  readdirSync('/proc/self/fd').some((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`) === path
    } catch {
      return false // the descriptor that listed the folder
    }
  })

const whole = async (signal = new AbortController().signal): Promise<AsyncIterableIterator<Uint8Array>> =>
  streamFileRange(await open(path), { start: 0, length: size }, signal)

beforeEach(() => writeFileSync(path, Buffer.alloc(size, 7)))
afterAll(() => rmSync(home, { recursive: true }))

test('a file is sent in chunks of 64 KB and closed with the last one', async () => {
  const bytes = await whole()
  const lengths: number[] = []
  while (lengths.length < 5) {
    const step = await bytes.next()
    lengths.push(step.done ? 0 : step.value.length)
  }
  expect(lengths).toEqual([65_536, 65_536, 65_536, 65_536, 37_856])
  expect(isOpen()).toBe(false)
  expect((await bytes.next()).done).toBe(true)
})

test('a range within the file gives exactly its bytes', async () => {
  writeFileSync(path, 'abcdefghij')
  const chunks: string[] = []
  for await (const chunk of streamFileRange(await open(path), { start: 3, length: 4 }, new AbortController().signal))
    chunks.push(Buffer.from(chunk).toString())
  expect(chunks).toEqual(['defg'])
})

test.each([0, 1])('a reader that leaves after %i chunks closes the file', async (count) => {
  const bytes = await whole()
  for (let read = 0; read < count; read += 1) await bytes.next()
  expect(isOpen()).toBe(true)
  await bytes.return?.()
  expect(isOpen()).toBe(false)
  expect((await bytes.next()).done).toBe(true)
})

test('a reader that leaves a loop early closes the file', async () => {
  for await (const chunk of await whole()) {
    expect(chunk.length).toBe(65_536)
    break
  }
  expect(isOpen()).toBe(false)
})

test('the file is closed when the client leaves before or after the start', async () => {
  const client = new AbortController()
  const bytes = await whole(client.signal)
  client.abort()
  await expect(bytes.next()).rejects.toThrow()
  expect(isOpen()).toBe(false)
  await expect((await whole(AbortSignal.abort())).next()).rejects.toThrow()
  expect(isOpen()).toBe(false)
})

test('the file of a client that has left is closed, though its bytes are never asked for', async () => {
  await whole(AbortSignal.abort())
  await vi.waitFor(() => expect(isOpen()).toBe(false), 10_000)
})

test('a file that becomes shorter is a failure', async () => {
  const bytes = await whole()
  await bytes.next()
  truncateSync(path, 70_000)
  await bytes.next()
  await expect(bytes.next()).rejects.toThrow('became shorter')
  expect(isOpen()).toBe(false)
})

test('a file that becomes longer gives no more than the range', async () => {
  const bytes = await whole()
  writeFileSync(path, Buffer.alloc(size + 50_000))
  let length = 0
  for await (const chunk of bytes) length += chunk.length
  expect(length).toBe(size)
})

test('of a hundred readers eight read at once; readers that leave while they wait free their place', async () => {
  let [reading, most] = [0, 0]
  const begin = async (signal: AbortSignal): Promise<AsyncIterableIterator<Uint8Array>> => {
    const handle = await open(path)
    const read = handle.read.bind(handle) as (...words: unknown[]) => Promise<unknown>
    // The real read, counted from outside.
    Object.assign(handle, {
      read: async (...words: unknown[]) => {
        reading += 1
        most = Math.max(most, reading)
        try {
          return await read(...words)
        } finally {
          reading -= 1
        }
      },
    })
    return streamFileRange(handle, { start: 0, length: size }, signal)
  }
  for (let round = 0; round < 2; round += 1) {
    const leaving = new AbortController()
    setMaxListeners(50, leaving.signal)
    const readers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => begin(index % 2 === 0 ? leaving.signal : new AbortController().signal)),
    )
    const lengths = readers.map(async (bytes) => {
      let length = 0
      for await (const chunk of bytes) length += chunk.length
      return length
    })
    const outcomes = Promise.allSettled(lengths)
    leaving.abort()
    const sent = (await outcomes).map((one) => (one.status === 'fulfilled' ? one.value : 'left'))
    expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 'left' : size)))
  }
  expect(most).toBe(8)
  expect(isOpen()).toBe(false)
})

test.each<[how: string, end: (bytes: AsyncIterableIterator<Uint8Array>) => Promise<unknown>]>([
  [
    'at its end',
    async (bytes) => {
      for await (const chunk of bytes) expect(chunk.length).toBeGreaterThan(0)
    },
  ],
  [
    'with its last chunk, before a further one is requested',
    async (bytes) => {
      for (let count = 0; count < 5; count += 1) expect((await bytes.next()).done).toBe(false)
    },
  ],
  ['when its reader leaves before the first chunk', async (bytes) => bytes.return?.()],
  [
    'when its reader leaves a loop early',
    async (bytes) => {
      for await (const chunk of bytes) return expect(chunk.length).toBeGreaterThan(0)
    },
  ],
  [
    'when it fails',
    async (bytes) => {
      truncateSync(path, 0)
      await expect(bytes.next()).rejects.toThrow('became shorter')
    },
  ],
])('%s no listener is left on the signal, and the file is closed', async (_how, end) => {
  const { signal } = new AbortController()
  const bytes = await whole(signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await end(bytes)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(isOpen()).toBe(false)
})
