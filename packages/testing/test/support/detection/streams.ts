/** Faults of responses that take time: streams of events, what goes on behind one, and the timeout of an endpoint. */
import { type AnyEndpoint, events, int, ok, optional, text } from 'lapidary'
import type { HttpHandler, HttpResponse } from 'lapidary/server'
import { z } from 'zod'
import { returning, serving } from './oneResponse.ts'
import { agate, type Planted, plain, replacing, Stone, withLine, without } from './planted.ts'

const Job = z.object({ progress: z.int() })
const feed = returning(ok(events({ cut: Stone, sold: Job }, { heartbeat: 20 })), { headers: { 'Last-Event-ID': optional(int) } })
async function* changes(): AsyncGenerator<object> {
  yield { event: 'cut', data: agate, id: '1', retry: 50 }
  await new Promise((resolve) => setTimeout(resolve, 20))
  yield { event: 'sold', data: { progress: 1 } }
}
const feeding = serving(feed, changes)
const endless = serving(feed, async function* (_input: unknown, { signal }: { signal: AbortSignal }) {
  yield { event: 'sold', data: { progress: 1 } }
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
} as never)
const unnamed = returning(ok(events(Job)))
const cut = 'event: cut\ndata: {"name":"Agate","hardness":7}\n\n'
const sending = (body: string, type = 'text/event-stream'): HttpHandler =>
  replacing(feeding, 200, (response) => ({ ...withLine('Content-Type', type, response), body }))
const feeds: readonly Planted[] = [
  { words: ['events'], api: unnamed, at: 'it', right: [serving(unnamed, () => [])], faults: [] },
  {
    words: ['events'],
    api: feed,
    at: 'it',
    right: [feeding, endless],
    options: { requests: 60 },
    faults: [
      ['wrong data', sending(`${cut}event: sold\ndata: {"progress":0.5}\n\n`), 'body', 'item 1: the body is not as declared: at "/data'],
      [
        'data that is not JSON',
        sending('event: sold\ndata: half\n\n'),
        'body',
        'item 0: the body is not as declared: at "/data" expected JSON',
      ],
      ['an undeclared event', sending(`${cut}event: lost\ndata: {}\n\n`), 'body', 'at "/event" expected the event cut or sold, got "lost"'],
      ['an event without a name', sending('data: {"progress":1}\n\n'), 'body', 'at "/event" expected a value, got nothing'],
      ['another media type', sending(cut, 'application/x-ndjson'), 'body', 'expected Content-Type to be text/event-stream'],
      ['an event that is cut off', sending(cut.slice(0, -1)), 'body', 'the stream ends within item 0'],
      [
        'an undeclared member',
        sending('event: sold\ndata: {"progress":1,"secret":2}\n\n'),
        'undeclared-members',
        'an event has an undeclared member at "/data/secret"',
      ],
    ],
  },
  {
    words: ['resume'],
    api: feed,
    at: 'it',
    right: [],
    faults: [
      [
        'any id is read',
        serving({ it: { ...feed.it, headers: {} } as AnyEndpoint }, changes),
        'request-headers',
        /Last-Event-ID is ".*": expected 400, got 200/,
      ],
      ['an id is needed', serving(returning(feed.it.response, { headers: { 'Last-Event-ID': int } }), changes), 'status', 'got 400'],
      [
        'a failure with an id',
        serving(feed, ({ headers }: { headers: Record<string, unknown> }) => {
          if (headers['Last-Event-ID'] !== undefined) throw new Error('planted')
          return changes()
        }),
        'no-server-error',
        'got 500',
      ],
    ],
  },
]

const slow = returning(ok(text), { timeout: 50 })
const never = new Promise<never>(() => {})
const lateServer = serving(slow, () => never)
/** Waits once, so that the check need not. */
const lateOnce = (milliseconds: number, then: HttpResponse): HttpHandler => {
  let count = 0
  return async (request) => {
    count += request.method === 'GET' ? 1 : 0
    if (count !== 3) return serving(slow, () => 'a')(request)
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return then
  }
}
const retry = ['Content-Type', 'application/problem+json', 'Retry-After', '1']
const timeouts: Planted = {
  words: ['timeout'],
  api: slow,
  at: 'it',
  right: [serving(slow, () => 'a'), lateServer],
  options: { requests: 30 },
  faults: [
    ['a late response', lateOnce(1_200, plain('a')), 'timeout', /^expected a response, or a 503, within 50 ms, it began after 1\d\d\d ms$/],
    ['a late 503', lateOnce(1_200, { status: 503, headers: retry, body: '{}' }), 'timeout', 'expected a response, or a 503, within 50 ms'],
    [
      'a 503 without Retry-After',
      replacing(lateServer, 503, (response) => without('retry-after', response)),
      'timeout',
      'expected the 503 to have Retry-After, got none',
    ],
    [
      'a 503 that is no problem',
      replacing(lateServer, 503, (response) => withLine('Content-Type', 'text/plain', response)),
      'problem',
      'expected problem details',
    ],
    [
      'a Retry-After that is no time',
      replacing(lateServer, 503, (response) => withLine('Retry-After', 'soon', response)),
      'retry-after',
      'Retry-After is "soon"',
    ],
    ['an error of its own', replacing(lateServer, 503, (response) => ({ ...response, status: 408 })), 'status', 'got 408'],
  ],
}

export const streams: readonly Planted[] = [...feeds, timeouts]
