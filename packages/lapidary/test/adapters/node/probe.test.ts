/** The probe of what the node adapter uses beyond Node's documentation. */
import { createServer, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { DirectIncomingMessage } from '../../../src/adapters/node/internals.ts'
import { hasKnownInternals, probeNodeServer } from '../../../src/adapters/node/probe.ts'

test('the running version of Node passes', async () => {
  expect(await hasKnownInternals()).toBe(true)
})

/** Responses that keep their head under another name. */
class Renamed extends ServerResponse<DirectIncomingMessage> {
  get _header(): null {
    return null
  }
  set _header(_text: unknown) {}
}

/** Requests whose body does not come through `push`. */
class Unpushed extends DirectIncomingMessage {
  override push(): boolean {
    return true
  }
}

test.each<readonly [sentence: string, create: Parameters<typeof probeNodeServer>[0]]>([
  ['keeps the head of a response elsewhere', (options, listener) => createServer({ ...options, ServerResponse: Renamed }, listener)],
  ['reads bodies in another way', (options, listener) => createServer({ ...options, IncomingMessage: Unpushed }, listener)],
  ['answers nothing', () => createServer(() => {})],
  ['answers something else', () => createServer((_request, response) => response.end('else'))],
  [
    'rejects the options',
    () => {
      throw new TypeError('no such option')
    },
  ],
])('a version of Node fails that %s', async (_sentence, create) => {
  expect(await probeNodeServer(create)).toBe(false)
})
