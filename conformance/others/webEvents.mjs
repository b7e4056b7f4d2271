/** The tests of web-platform-tests about the format of event streams, to the parser of the client. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseMediaType } from 'lapidary/internal'
import { parseEvents } from '../../packages/lapidary/dist/contract/media/eventStream.js'
import { createCases } from './cases.mjs'
import { runScripts } from './webHarness.mjs'

export const title = 'web-platform-tests: event streams'
export const about =
  'Each test of the format runs with an `EventSource` that is made of the parser of the client, which reads the bytes one by one. The tests of requests, of origins and of the interface of `EventSource` are left out.'

const names = [
  'event-data',
  'format-bom',
  'format-bom-2',
  'format-comments',
  'format-data-before-final-empty-line',
  'format-field-data',
  'format-field-event',
  'format-field-event-empty',
  'format-field-id',
  'format-field-parsing',
  'format-field-retry',
  'format-field-retry-bogus',
  'format-field-retry-empty',
  'format-field-unknown',
  'format-leading-space',
  'format-mime-bogus',
  'format-mime-trailing-semicolon',
  'format-mime-valid-bogus',
  'format-newlines',
  'format-null-character',
  'format-utf-8',
]
const place = 'test/fixtures/wpt/eventsource'

export const sources = [
  {
    repository: 'nodejs/node',
    commit: '698a391107b970c13380ceb3666c01453f3fa861',
    licence: 'BSD-3-Clause, as web-platform-tests',
    isLarge: true,
    paths: names.map((name) => `${place}/${name}.any.js`),
  },
]

/** What the server of the suite sends: the type and the stream. */
const resources = {
  'message.py': ({ mime = 'text/event-stream', message = 'data: data', newline }) => [
    mime,
    `${message}${newline === 'none' ? '' : '\n\n'}\n`,
  ],
  'message2.py': () => [
    'text/event-stream',
    'data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n',
  ],
  'last-event-id.py': (_query, lastEventId) => [
    'text/event-stream',
    lastEventId === '' ? 'id: …\nretry: 200\ndata: hello\n\n' : `data: ${lastEventId}\n\n`,
  ],
}

async function* toBytes(text) {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
}

/** An event with no more than what every event has. */
const createEvent = (fields = {}) => ({ bubbles: false, cancelable: false, ...fields })

/** `EventSource` (WHATWG HTML §9.2) as far as the tests use it: it connects, parses and connects again. */
class EventSource {
  CLOSED = 2
  OPEN = 1
  readyState = 0
  #listeners = new Map()
  #lastEventId = ''
  #delay = 100
  #url

  constructor(url) {
    this.#url = new URL(url, 'http://server.example')
    setTimeout(() => this.#connect())
  }

  addEventListener(name, listener) {
    this.#listeners.set(name, listener)
  }

  close() {
    this.readyState = this.CLOSED
  }

  #dispatch(name, event) {
    for (const listener of [this[`on${name}`], this.#listeners.get(name)])
      if (this.readyState !== this.CLOSED || name === 'error') listener?.call(this, event)
  }

  #note({ id, retry }) {
    this.#lastEventId = id ?? this.#lastEventId
    this.#delay = retry ?? this.#delay
  }

  async #connect() {
    const query = Object.fromEntries(this.#url.searchParams)
    const [type, text] = resources[this.#url.pathname.split('/').at(-1)](query, this.#lastEventId)
    if (parseMediaType(type)?.essence !== 'text/event-stream') {
      this.close()
      return this.#dispatch('error', createEvent())
    }
    this.readyState = this.OPEN
    this.#dispatch('open', createEvent())
    try {
      for await (const event of parseEvents(
        toBytes(text),
        (data) => data,
        (fields) => this.#note(fields),
      )) {
        this.#note(event)
        this.#dispatch(event.event ?? 'message', createEvent({ data: event.data, lastEventId: this.#lastEventId }))
      }
    } catch {
      // An event that the end of the stream cuts off is none.
    }
    if (this.readyState !== this.CLOSED) setTimeout(() => this.#connect(), this.#delay)
  }
}

export async function run([folder]) {
  const cases = createCases()
  const results = await Promise.all(
    readdirSync(join(folder, place)).map((name) => runScripts([readFileSync(join(folder, place, name), 'utf8')], { EventSource })),
  )
  for (const { name, fault } of results.flat()) cases.add(name, fault)
  return cases.list()
}
