/** What the carrier does past node's documentation is tried before it is relied on. */
import { createServer, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { NodeRequest } from '../src/carriers/nodeRequest.ts'
import { isDirect, trial } from '../src/carriers/nodeTrial.ts'

test('this node passes', async () => {
  expect(await isDirect()).toBe(true)
})

/** Answers whose head is kept under another name. */
class Renamed extends ServerResponse<NodeRequest> {
  get _header(): null {
    return null
  }
  set _header(_text: unknown) {}
}

/** Requests that are read by something else than `push`. */
class Unpushed extends NodeRequest {
  override push(): boolean {
    return true
  }
}

test.each<readonly [sentence: string, create: Parameters<typeof trial>[0]]>([
  ['keeps the head of an answer elsewhere', (options, listener) => createServer({ ...options, ServerResponse: Renamed }, listener)],
  ['reads bodies in another way', (options, listener) => createServer({ ...options, IncomingMessage: Unpushed }, listener)],
  ['answers nothing', () => createServer(() => {})],
  ['answers something else', () => createServer((_request, response) => response.end('else'))],
  [
    'takes no such options',
    () => {
      throw new TypeError('no such option')
    },
  ],
])('a node fails that %s', async (_sentence, create) => {
  expect(await trial(create)).toBe(false)
})
