/** The limit of a request body: that of the endpoint, or else that of the server. */
import { type ByteSize, bytes, endpoint, noContent } from 'lapidary'
import { outline } from 'lapidary/docs'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { parseByteSize } from '../../src/http/limits.ts'
import { describeEachAdapter } from '../support/matrix/eachAdapter.ts'

test.each<[unknown, number | undefined]>([
  [0, 0],
  [1_000, 1_000],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['0 B', 0],
  ['1 kB', 1_000],
  ['1.5 MB', 1_500_000],
  ['2 GB', 2_000_000_000],
  ['1 KiB', 1_024],
  ['0.5 MiB', 524_288],
  ['1 GiB', 1_073_741_824],
  [-1, undefined],
  [Number.NaN, undefined],
  ['5', undefined],
  ['5MB', undefined],
  ['5 mb', undefined],
  ['-5 MB', undefined],
  ['1e3 MB', undefined],
  ['5 TB', undefined],
  [' 5 MB', undefined],
  [null, undefined],
])('%j is %j bytes', (size, expected) => {
  expect(parseByteSize(size)).toBe(expected)
})

const put = (path: `/${string}`, maxBodySize?: ByteSize) =>
  endpoint(`PUT ${path}`, { body: bytes, response: noContent, ...(maxBodySize !== undefined && { maxBodySize }) })

const api = { general: put('/general'), small: put('/small', 10), large: put('/large', '1 kB') }
const server = serve(api, { general: () => {}, small: () => {}, large: () => {} }, { maxBodySize: '100 B' })

describeEachAdapter(server, (running) => {
  test.each([
    ['general', 100],
    ['small', 10],
    ['large', 1_000],
  ])('%s accepts %i bytes, and not one more', async (name, limit) => {
    const send = async (length: number) => {
      const headers = { 'Content-Type': 'application/octet-stream' }
      const response = await running.fetch(`/${name}`, { method: 'PUT', headers, body: new Uint8Array(length) })
      await response.text()
      return response.status
    }
    expect([await send(limit), await send(limit + 1)]).toEqual([204, 413])
  })
})

test.each<[size: ByteSize | undefined, sentence: string]>([
  [undefined, 'The body is larger than the server accepts.'],
  [5_000, 'The body is larger than 5,000 bytes.'],
  ['5 MB', 'The body is larger than 5 MB.'],
])('the documentation of an endpoint with the limit %j says: %s', async (size, sentence) => {
  const put = endpoint('PUT /', { body: bytes, response: noContent, ...(size !== undefined && { maxBodySize: size }) })
  const { sections } = await outline({ put })
  expect(sections[0]?.builtInErrors.find(({ status }) => status === 413)?.description).toBe(sentence)
})
