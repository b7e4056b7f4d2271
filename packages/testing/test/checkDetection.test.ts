/** Subtle faults: the check finds each, and names the rule that fails. */

import { checkServer } from '@lapidary/testing'
import { content, endpoint, html, int, json, noContent, ok, prefix } from 'lapidary'
import { listen } from 'lapidary/node'
import { type HttpHandler, type HttpResponse, serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string().min(1).max(40), hardness: z.int().min(1).max(10) })
type Stone = z.infer<typeof Stone>

const one = { params: { id: int }, errors: [] }
const api = {
  shown: endpoint('GET /shown', {
    response: ok(
      content(
        Stone,
        json,
        html(({ name }) => name.replace(/[<&]/g, '')),
      ),
    ),
  }),
  stones: prefix('/stones', {
    read: endpoint('GET /:id', { ...one, response: ok(Stone), etag: true }),
    replace: endpoint('PUT /:id', { ...one, body: Stone, response: noContent, etag: 'required' }),
  }),
}

/** What is there; `lenient` changes it without a look at what the request names. */
function shelf() {
  let agate: Stone = { name: 'Agate', hardness: 7 }
  const kernel = serve(
    api,
    {
      shown: () => agate,
      stones: {
        read: () => agate,
        replace: async ({ body, precondition }) => {
          await precondition(agate)
          agate = body
        },
      },
    },
    { onError: () => {} },
  )
  const put = (next: Stone): void => {
    agate = next
  }
  return { kernel, put }
}

async function failuresOf(kernel: HttpHandler): Promise<readonly (readonly [endpoint: string, rule: string, violation: string])[]> {
  const { url, close } = await listen(kernel)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { failures } = await checkServer(api, url, { requests: 600, seconds: 30, seed: 1, write: true })
  return failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation])
}

const without = (name: string, outgoing: HttpResponse): HttpResponse => ({
  ...outgoing,
  headers: outgoing.headers.filter((_, index, all) => all[index - (index % 2)]?.toLowerCase() !== name),
})

test('where nothing is wrong, nothing is seen', async () => {
  expect(await failuresOf(shelf().kernel)).toEqual([])
})

describe('an answer that is negotiated does not say so', () => {
  test.each([
    ['406', 406],
    ['success', 200],
  ])('in a %s alone', async (_what, status) => {
    const { kernel } = shelf()
    const failures = await failuresOf(async (incoming) => {
      const outgoing = await kernel(incoming)
      return outgoing.status === status ? without('vary', outgoing) : outgoing
    })
    expect(failures).toEqual([['shown', 'vary', 'expected Vary to name Accept, got none']])
  })
})

test('a change that is refused with 412 is made all the same', async () => {
  const { kernel, put } = shelf()
  let made = 0
  const failures = await failuresOf(async (incoming) => {
    const outgoing = await kernel(incoming)
    if (incoming.method === 'PUT' && outgoing.status === 412) {
      made += 1
      put({ name: `Opal ${made}`, hardness: 6 })
    }
    return outgoing
  })
  expect(failures).toEqual([['stones.replace', 'lost-updates', 'a refused change has changed the resource']])
})

test('a change is made without the condition that is required', async () => {
  const { kernel } = shelf()
  const failures = await failuresOf(async (incoming) => {
    const outgoing = await kernel(incoming)
    return outgoing.status === 428 ? { status: 204, headers: [], body: null } : outgoing
  })
  expect(failures).toContainEqual(['stones.replace', 'lost-updates', 'there is no If-Match: expected 428, got 204'])
})
