/** `EventSource` of a browser reads a stream of events: names, ids, a new connection behind the last id, and an end for good. */
import { endpoint, events, html, int, noContent, ok, optional, respond } from 'lapidary'
import { listen, type RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { chromium, withoutChromium } from './chromium.ts'

const api = {
  page: endpoint('GET /', { response: ok(html(() => '<!doctype html><link rel="icon" href="data:,"><title>Events</title>')) }),
  changes: endpoint('GET /changes', {
    headers: { 'Last-Event-ID': optional(int) },
    response: [ok(events({ cut: z.object({ carat: z.number() }), message: z.string() }, { heartbeat: 50 })), noContent],
  }),
}

/** The last ids that the browser has sent. */
const lastEventIds: number[] = []

const server = serve(api, {
  page: () => '',
  changes: ({ headers: { 'Last-Event-ID': last = 0 } }) => {
    lastEventIds.push(last)
    // Two events on each connection; the fifth does not come.
    if (last >= 4) return respond(204)
    return (async function* () {
      yield { event: 'cut' as const, data: { carat: last + 1 }, id: `${last + 1}`, retry: 10 }
      // Long enough for some comments.
      await new Promise((resolve) => setTimeout(resolve, 200))
      yield { event: 'message' as const, data: 'a\nb 💎', id: `${last + 2}` }
    })()
  },
})

describe.skipIf(withoutChromium())('EventSource', () => {
  const { visit } = chromium()
  let running: RunningServer
  beforeAll(async () => {
    running = await listen(server)
  })
  afterAll(() => running?.close({ drain: 0, grace: 0 }))

  test('reads events, goes on behind the last id, and ends at a 204', async () => {
    const page = await visit(`${running.url}/`)
    const received = await page.evaluate(
      () =>
        new Promise<readonly unknown[]>((resolve) => {
          const all: unknown[] = []
          const source = new EventSource('/changes')
          const hear = ({ type, data, lastEventId }: MessageEvent): void => void all.push([type, JSON.parse(data), lastEventId])
          source.addEventListener('cut', hear)
          source.addEventListener('message', hear)
          source.addEventListener('error', () => {
            if (source.readyState === EventSource.CLOSED) resolve(all)
          })
        }),
    )
    expect(received).toEqual([
      ['cut', { carat: 1 }, '1'],
      ['message', 'a\nb 💎', '2'],
      ['cut', { carat: 3 }, '3'],
      ['message', 'a\nb 💎', '4'],
    ])
    expect(lastEventIds).toEqual([0, 2, 4])
  })
})
