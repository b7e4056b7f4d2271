/** The requests of a sequence as lines of text. */
import { decodeUtf8 } from 'lapidary/internal'
import type { PlayedRequest } from './playedItem.ts'

/** The number of characters after which a body is cut. */
const maxCharacters = 100

const formatBody = (body: Uint8Array | undefined): string => {
  if (body === undefined || body.length === 0) return ''
  const text = decodeUtf8(body)?.replace(/\s+/g, ' ') ?? `(${body.length} bytes)`
  return ` ${text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text}`
}

/** Headers that a reader of a sequence needs. */
const shownHeaders: ReadonlySet<string> = new Set(['if-match', 'if-none-match', 'last-event-id'])

/** Formats each request and its response as one line: `POST /stones {"name":"a"} → 201 /stones/7`. */
export const formatTrace = (requests: readonly PlayedRequest[], redact: (text: string) => string): string[] => {
  const hasClients = new Set(requests.map(({ sent }) => sent.client)).size > 1
  const keys = requests.flatMap(({ sent }) =>
    sent.request.headers.flatMap(([name, value]) => (/^idempotency-key$/i.test(name) ? [value] : [])),
  )
  return requests.map(({ sent: { request, response, client } }) => {
    const { method, target, headers, body } = request
    // A key matters where two requests have the same one.
    const isShown = (name: string, value: string): boolean =>
      shownHeaders.has(name) || (name === 'idempotency-key' && keys.indexOf(value) !== keys.lastIndexOf(value))
    const shown = headers.filter(([name, value]) => isShown(name.toLowerCase(), value)).map(([name, value]) => ` ${name}: ${value}`)
    const [location, etag] = [response.header('location'), response.header('etag')]
    const result = [`${response.status}`, location, etag === undefined ? undefined : `ETag ${etag}`].filter(Boolean).join(' ')
    const sender = hasClients ? `client ${client + 1}: ` : ''
    return redact(`${sender}${method} ${target}${shown.join('')}${formatBody(body)} → ${result}${formatBody(response.body)}`)
  })
}
