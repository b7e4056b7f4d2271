/** One request and what came of it, as they stand on the wire. */
import { Agent, request as overHttp } from 'node:http'
import { request as overHttps, Agent as SecureAgent } from 'node:https'
import { getCauseMessage, getEssence } from 'lapidary/internal'

const isHeaderLineNamed = (line, name) => line[0].toLowerCase() === name.toLowerCase()
/** The same request with these lines under a name, in place of those that it had. */
export const withHeaderLines = (asked, name, ...values) => ({
  ...asked,
  headers: [...asked.headers.filter((line) => !isHeaderLineNamed(line, name)), ...values.map((value) => [name, value])],
})
/** The same request, on no condition. */
export const withoutConditions = (asked) => ({
  ...asked,
  headers: asked.headers.filter(([name]) => !/^if-/i.test(name)),
})
/** The names of the headers of an answer, in lower case, each once. */
export const listHeaderNames = ({ rawHeaders }) => [
  ...new Set(rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())),
]
/** What belongs to the moment or to the connection, and not to what is there. */
export const volatileHeaders = new Set([
  'date',
  'age',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
  'set-cookie',
  'traceparent',
])
export const isWireResponse = (answered) => 'status' in answered
/** Those of an endpoint. */
export const getStreamReadOptions = ({ response: { content } }, patience) => ({
  mediaTypes: new Set(
    (content?.media ?? []).flatMap(({ types, streamReader }) => (streamReader === undefined ? [] : types.map(getEssence))),
  ),
  milliseconds: patience,
})
function createHeaderLookup(rawHeaders) {
  const found = new Map()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    const value = String(rawHeaders[index + 1])
    const before = found.get(name)
    found.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return (name) => found.get(name)
}
/** Header lines as node sends them: those of one name together, in their order. */
function groupHeaderLines(lines) {
  const all = Object.create(null)
  for (const [name, value] of lines) all[name] = [...(all[name] ?? []), value]
  return all
}
async function readResponse(response, begun, largest, streams) {
  const pieces = []
  let length = 0
  let isLeft = false
  const leave = () => {
    isLeft = true
    response.destroy()
  }
  const isStream = streams?.mediaTypes.has(getEssence(response.headers['content-type'] ?? '')) === true
  const timer = isStream ? setTimeout(leave, streams.milliseconds) : undefined
  try {
    for await (const piece of response) {
      pieces.push(piece)
      length += piece.length
      if (length > largest) break
    }
  } catch {
    // How far it came is seen by `complete`.
  } finally {
    clearTimeout(timer)
  }
  const { rawHeaders, statusCode = 0, complete } = response
  return {
    status: statusCode,
    rawHeaders,
    header: createHeaderLookup(rawHeaders),
    body: Buffer.concat(pieces),
    complete: complete && length <= largest,
    isAbandoned: isLeft && !complete,
    milliseconds: performance.now() - begun,
  }
}
/** What is said where no server is. */
const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'])
/** Sends requests to the server at `base`, over connections that are kept. `close` ends those. */
export function createSender(base, { timeout, maxBodySize: largest }) {
  const isSecure = base.protocol === 'https:'
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const begin = isSecure ? overHttps : overHttp
  const prefix = base.pathname.replace(/\/+$/, '')
  const send = async (asked, streams) => {
    const { method, target, body } = asked
    const begun = performance.now()
    const length = body === undefined ? [] : [['Content-Length', String(body.length)]]
    try {
      const response = await new Promise((resolve, reject) => {
        const request = begin(
          base,
          {
            agent,
            method,
            path: prefix + target,
            headers: groupHeaderLines([...asked.headers, ...length]),
            signal: AbortSignal.timeout(timeout),
          },
          resolve,
        )
        request.once('error', reject)
        // Node would end such a connection without a word.
        request.once('upgrade', (_response, socket) => {
          socket.destroy()
          reject(new Error('the server went over to another protocol (101), which was not asked for'))
        })
        request.end(body)
      })
      return await readResponse(response, begun, largest, streams)
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'AbortError'
      if (isLate) return { reason: `there was no answer within ${timeout} ms`, cause: 'late' }
      return { reason: getCauseMessage(error), cause: unreachableCodes.has(String(Object(error).code)) ? 'gone' : 'cut' }
    }
  }
  return { send, close: () => agent.destroy() }
}
