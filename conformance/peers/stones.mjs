/** The server of stones with a fault of state. It is loaded with tsx, since the faults are TypeScript. */
import { withHeaders } from 'lapidary'
import { openapi } from 'lapidary/openapi'
import { serve, toFetch } from 'lapidary/server'
import { changeFaults } from '../../packages/testing/test/support/sequences/changeFaults.ts'
import { clientFaults } from '../../packages/testing/test/support/sequences/clientFaults.ts'
import { etagFaults } from '../../packages/testing/test/support/sequences/etagFaults.ts'
import { identityFaults } from '../../packages/testing/test/support/sequences/identityFaults.ts'
import { startStoneServer } from '../../packages/testing/test/support/sequences/stoneServer.ts'
import { stonesApi } from '../../packages/testing/test/support/sequences/stonesApi.ts'

/** The endpoints without the stream of events: Dredd and newman would wait for its end. */
const api = { stones: stonesApi.stones }

/** The statuses of requests that no handler gets. */
const refusals = new Set([400, 404, 405, 406, 413, 415, 422])
const stone = { id: 1, name: 'agate', hardness: 7, note: 'grey', revision: 1 }

/** The headers of a request without its conditions, which are about the stone. @param {import('node:http').IncomingMessage} request */
function copyHeaders({ rawHeaders }) {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index], rawHeaders[index + 1])
  for (const name of ['If-Match', 'If-None-Match', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Expect']) headers.delete(name)
  return headers
}

/**
 * Refuses what the description does not allow: the server of stones validates nothing, and has to be right but for its fault of state. This
 * is a server of the same description whose handlers do nothing.
 */
function createGate() {
  const handle = toFetch(
    serve(api, {
      stones: {
        list: () => withHeaders([], { Link: '<?>; rel="first"' }),
        create: () => withHeaders(stone, { Location: '/stones/1' }),
        item: () => stone,
        replace: () => stone,
        change: () => stone,
        remove: () => {},
      },
    }),
  )
  return async (request, body) => {
    const { method, url } = request
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const response = await handle(
      new Request(`http://localhost${url}`, { method, headers: copyHeaders(request), ...(hasBody && { body }) }),
    )
    if (!refusals.has(response.status) && method !== 'OPTIONS') return undefined
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** Starts the server, with the stone of the examples. */
async function start(parts) {
  const server = await startStoneServer(parts, createGate())
  const { name, hardness, note } = stone
  await fetch(`${server.url}/stones`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, hardness, note }),
  })
  return server
}

/** @returns {Promise<import('./faults.mjs').FaultySystem>} */
export async function createStones() {
  const groups = {
    'items and identifiers': identityFaults,
    changes: changeFaults,
    'ETags, keys and lists': etagFaults,
    'several clients': clientFaults,
  }
  return {
    name: 'stones',
    document: await openapi(api, { title: 'Stones', version: '1.0.0', openapi: '3.0' }),
    charset: '',
    examples: { id: stone.id },
    startRight: () => start({}),
    faults: Object.entries(groups).flatMap(([group, faults]) =>
      faults
        .filter(({ sentence }) => !sentence.includes('stream'))
        .map(({ sentence, plant }) => ({ group: `state: ${group}`, sentence, start: () => start(plant()) })),
    ),
  }
}
