/** Content codings: the choice by `Accept-Encoding`, as a table, and what a platform without `node:zlib` has. */
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { createCodingNegotiator } from '../../src/middleware/contentCodings.ts'
import { cpuTime } from '../support/cpuTime.ts'

const negotiate = createCodingNegotiator(['zstd', 'br', 'gzip'])

test.each<[string | undefined, string | undefined, boolean]>([
  [undefined, undefined, true],
  ['', undefined, true],
  ['gzip', 'gzip', true],
  ['GZIP', 'gzip', true],
  ['x-gzip', 'gzip', true],
  ['gzip, deflate, br, zstd', 'zstd', true],
  ['gzip, br', 'br', true],
  ['gzip;q=1, br;q=0.9', 'gzip', true],
  ['gzip;q=0.5,br;q=0.5', 'br', true],
  ['br ; q=0.001 , gzip;Q=0', 'br', true],
  ['br;q=0', undefined, true],
  ['*', 'zstd', true],
  ['*;q=0.5, gzip', 'gzip', true],
  ['*, zstd;q=0, br;q=0', 'gzip', true],
  ['identity', undefined, true],
  ['identity, gzip;q=0.5', undefined, true],
  ['identity;q=0.5, gzip;q=0.5', 'gzip', true],
  ['identity;q=0', undefined, false],
  ['identity;q=0, gzip', 'gzip', false],
  ['*;q=0', undefined, false],
  ['*;q=0, identity', undefined, true],
  ['gzip, *;q=0', 'gzip', false],
  ['deflate', undefined, true],
  ['gzip;q=2', undefined, true],
  ['gzip;q=, br', 'br', true],
  [',, gzip ,', 'gzip', true],
  ['gzip br', undefined, true],
])('Accept-Encoding %s: %s', (text, coding, isIdentityAcceptable) => {
  const choice = negotiate(text)
  expect([choice.coding, choice.isIdentityAcceptable]).toEqual([coding, isIdentityAcceptable])
})

test('all that is acceptable is known, the best first', () => {
  expect(negotiate('gzip;q=0.5, br, zstd;q=0').accepted).toEqual(['br', 'gzip'])
})

test('a header that is made to be slow is read in linear time', () => {
  expect(cpuTime(() => void negotiate(`${'gzip;q=0.5 ,\t'.repeat(100_000)}x`), 1)).toBeLessThan(1_000)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

test('a platform without node:zlib has the gzip of the web', async () => {
  vi.spyOn(process as { getBuiltinModule(name: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
  vi.resetModules()
  const { createCompressor, decodableCodings, decode } = await import('../../src/middleware/contentCodings.ts')
  expect([createCompressor('br', 4), createCompressor('zstd', 3)]).toEqual([undefined, undefined])
  const gzip = createCompressor('gzip', 6)
  expect([gzip?.compressNow, gzip?.createStream]).toEqual([undefined, undefined])
  expect(gunzipSync((await gzip?.compress('hello')) ?? '').toString()).toBe('hello')
  expect(decodableCodings).toEqual(['gzip', 'deflate'])

  const collect = async (bytes: Uint8Array, codings: readonly string[]): Promise<string> => {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 10)
      yield bytes.subarray(10)
    }
    let read = ''
    const decoded = codings.toReversed().reduce<AsyncIterable<Uint8Array>>(decode, source())
    for await (const chunk of decoded) read += new TextDecoder().decode(chunk)
    return read
  }
  expect(await collect(gzipSync('hello'), ['gzip'])).toBe('hello')
  expect(await collect(gzipSync(deflateSync('hello')), ['deflate', 'gzip'])).toBe('hello')
  await expect(collect(new Uint8Array(20), ['gzip'])).rejects.toThrow()
  await expect(collect(gzipSync('hello').subarray(0, 15), ['gzip'])).rejects.toThrow()
})
