/** Bun.serve by hand, with its own routes and the same checks. */
import { bodyLimit, isClientInfo, isJson, isNamed, positionIn, tagOf, valueIn } from '../checks.mjs'
import { email, greeting, hundred, many, thousand } from '../data.mjs'
import { pageOf } from '../pages.mjs'
import { ready } from '../ready.mjs'
import { rows } from './sqlite.mjs'

const { json } = Response

/** @param {number} status @param {string} detail */
const refusal = (status, detail) => json({ type: 'about:blank', status, detail }, { status })

/**
 * The one value of a query parameter, given to what answers it.
 * @param {Request} request
 * @param {string} name
 * @param {(value: string | undefined) => Response} answer
 */
function withValue({ url }, name, answer) {
  const question = url.indexOf('?')
  try {
    return answer(question < 0 ? undefined : valueIn(url.slice(question + 1), name))
  } catch (failure) {
    return refusal(400, failure.message)
  }
}

/** @param {Request} request */
function position({ url }) {
  const found = positionIn(url.slice(url.indexOf('/', 8)).split('?', 1)[0])
  if (found === undefined) return refusal(404, 'There is nothing at this path.')
  if (Number.isNaN(found.xCoord) || Number.isNaN(found.yCoord)) return refusal(400, 'expected two integers')
  return json(found)
}

/** @param {Request} request */
async function marketing(request) {
  if (!isJson(request.headers.get('content-type'))) return refusal(415, 'expected application/json')
  let client
  try {
    client = await request.json()
  } catch {
    return refusal(400, 'expected JSON')
  }
  if (!isClientInfo(client)) return refusal(400, 'expected clientName, clientEmail, clientAge and clientInterestedIn')
  return json(email(client))
}

/** @param {string | undefined} after */
function colors(after) {
  if (after === undefined) return refusal(400, 'after: expected a name')
  const { items, headers } = pageOf(rows, after)
  return json(items, { headers })
}

/** @param {Request} request */
function tagged({ headers }) {
  const text = JSON.stringify(hundred)
  const ETag = tagOf(text)
  if (isNamed(headers.get('if-none-match'), ETag)) return new Response(null, { status: 304, headers: { ETag } })
  return new Response(text, { headers: { 'Content-Type': 'application/json;charset=utf-8', ETag } })
}

const encoder = new TextEncoder()
async function* lines() {
  for await (const user of many()) yield encoder.encode(`${JSON.stringify(user)}\n`)
}

/** What is there, but not by this method, or not at all. @param {Request} request */
function other({ url }) {
  const path = new URL(url).pathname
  if (Object.hasOwn(routes, path) || positionIn(path) !== undefined) return refusal(405, 'expected another method')
  return refusal(404, 'There is nothing at this path.')
}

const routes = {
  '/hello': { GET: (request) => withValue(request, 'name', (name) => json(greeting(name))) },
  '/position/:x/:y': { GET: position },
  '/marketing': { POST: marketing },
  '/hundred': { GET: () => json(hundred) },
  '/thousand': { GET: () => json(thousand) },
  '/stored': { GET: () => json(rows.users()) },
  '/tagged': { GET: tagged },
  '/colors': { GET: (request) => withValue(request, 'after', colors) },
  '/stream': { GET: () => new Response(lines(), { headers: { 'Content-Type': 'application/x-ndjson' } }) },
}

const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', maxRequestBodySize: bodyLimit, routes, fetch: other })
ready(port)
