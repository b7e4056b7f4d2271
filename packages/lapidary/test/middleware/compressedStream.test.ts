/** `CompressedStream`: when it flushes, and what becomes of the compressor at each end. */
import { expect, test } from 'vitest'
import { CompressedStream } from '../../src/middleware/compressedStream.ts'
import type { StreamCompressor } from '../../src/middleware/contentCodings.ts'

const decoder = new TextDecoder()

/** A compressor that writes down its calls, and hands everything out at a flush. */
function createRecorder(): { readonly calls: string[]; readonly create: () => StreamCompressor } {
  const calls: string[] = []
  let held: number[] = []
  const take = async (): Promise<Uint8Array> => {
    const bytes = Uint8Array.from(held)
    held = []
    return bytes
  }
  return {
    calls,
    create: () => {
      calls.push('create')
      return {
        write: async (bytes) => {
          calls.push(`write ${bytes.length}`)
          held.push(...bytes)
          return new Uint8Array()
        },
        flush: () => {
          calls.push('flush')
          return take()
        },
        end: () => {
          calls.push('end')
          return take()
        },
        destroy: () => void calls.push('destroy'),
      }
    },
  }
}

const wait = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time))

async function readAll(stream: AsyncIterable<string | Uint8Array>): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const chunk of stream) texts.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk))
  return texts
}

test('chunks that are there at once are written together, and not flushed', async () => {
  const { calls, create } = createRecorder()
  async function* produce(): AsyncGenerator<string> {
    for (let index = 0; index < 40; index += 1) yield 'a'.repeat(1_000)
  }
  expect((await readAll(new CompressedStream(produce(), create, true))).join('')).toBe('a'.repeat(40_000))
  expect(calls).toEqual(['create', 'write 17000', 'write 17000', 'write 6000', 'end', 'destroy'])
})

test('before the producer waits, all that there is is handed on', async () => {
  const { calls, create } = createRecorder()
  async function* produce(): AsyncGenerator<string> {
    yield 'one'
    yield 'two'
    await wait(20)
    yield 'three'
    await wait(20)
  }
  expect(await readAll(new CompressedStream(produce(), create, true))).toEqual(['onetwo', 'three'])
  expect(calls).toEqual(['create', 'write 6', 'flush', 'write 5', 'flush', 'end', 'destroy'])
})

test('a file is not flushed', async () => {
  const { calls, create } = createRecorder()
  async function* produce(): AsyncGenerator<string> {
    yield 'one'
    await wait(20)
    yield 'two'
  }
  expect(await readAll(new CompressedStream(produce(), create, false))).toEqual(['onetwo'])
  expect(calls).toEqual(['create', 'write 6', 'end', 'destroy'])
})

test('an empty chunk, which asks for the head, passes at once', async () => {
  const { create } = createRecorder()
  async function* produce(): AsyncGenerator<string> {
    yield ''
    yield 'one'
  }
  expect(await readAll(new CompressedStream(produce(), create, true))).toEqual(['', 'one'])
})

test('what is no chunk passes, so that the adapter refuses it', async () => {
  const { create } = createRecorder()
  async function* produce(): AsyncGenerator<string> {
    yield 42 as never
  }
  expect(await new CompressedStream(produce(), create, true).next()).toEqual({ done: false, value: 42 })
})

test('a failure of the producer is thrown as it is, and frees the memory', async () => {
  const { calls, create } = createRecorder()
  const failure = new Error('broken')
  async function* produce(): AsyncGenerator<string> {
    yield 'one'
    await wait(20)
    throw failure
  }
  const stream = new CompressedStream(produce(), create, true)
  expect(decoder.decode((await stream.next()).value as Uint8Array)).toBe('one')
  await expect(stream.next()).rejects.toBe(failure)
  expect(calls.at(-1)).toBe('destroy')
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('a reader that leaves ends the producer, and frees the memory', async () => {
  const { calls, create } = createRecorder()
  let hasEnded = false
  async function* produce(): AsyncGenerator<string> {
    try {
      yield 'one'
      await wait(20)
      yield 'two'
    } finally {
      hasEnded = true
    }
  }
  const stream = new CompressedStream(produce(), create, true)
  await stream.next()
  await stream.return()
  expect([hasEnded, calls.at(-1)]).toEqual([true, 'destroy'])
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('a stream that nothing reads has no compressor, and ends its producer', async () => {
  const { calls, create } = createRecorder()
  let hasEnded = false
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false as const, value: 'one' }),
      return: async () => {
        hasEnded = true
        return { done: true as const, value: undefined }
      },
    }),
  }
  await new CompressedStream(source, create, true).return()
  expect([hasEnded, calls]).toEqual([true, []])
})
