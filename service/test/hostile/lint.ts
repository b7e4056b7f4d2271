/** The rules for every reply of the service: complete, valid, and without internals. */
import type { Reply } from './replies.ts'

/** Secrets that rows send: no reply may hold them. */
export const secrets = ['s3cret-of-ann', 'token-of-hostile'] as const

const fixdate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/

/** Stacks, paths of the file system, SQL, and what libraries say of themselves. */
const leaks: readonly RegExp[] = [
  /(?:\n|\\n)\s+at /,
  /node:internal|node_modules|\bnode:\w/,
  /\.[cm]?[jt]s:\d/,
  /\/(?:work|tmp|home|root|usr|var|proc|etc)\//,
  /\bSQLITE|\bSqlite|\bSELECT\b.*\bFROM\b|\bINSERT INTO\b/,
  /\b(?:TypeError|RangeError|SyntaxError|ENOENT|EACCES|HPE_[A-Z]+|ERR_[A-Z]+)\b/,
]

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a body; nothing where it is no UTF-8. */
function textOf(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const isPointer = (value: unknown): boolean => typeof value === 'string' && /^(?:\/[^/]*)*$/.test(value)

/** RFC 9457, and the list that bad input gets. */
function problemFlaws({ status }: Reply, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return ['problem details that are no object']
  const { type, title, status: statusMember, detail, errors = [] } = value as Readonly<Record<string, unknown>> // any object may be looked at
  const isWellFormed = (error: unknown): boolean => {
    const { in: place, name, pointer, detail: why } = Object(error) as Readonly<Record<string, unknown>> // as above
    return (
      isText(place) &&
      isText(why) &&
      (place === 'body' ? isPointer(pointer) : pointer === undefined && (name === undefined || name === '' || isText(name)))
    )
  }
  return [
    ...(isText(type) && isText(title) ? [] : ['problem details without type and title']),
    ...(statusMember === status ? [] : [`problem details of another status: ${String(statusMember)}`]),
    ...(detail === undefined || isText(detail) ? [] : ['problem details whose detail is no text']),
    ...(Array.isArray(errors) && errors.every(isWellFormed) ? [] : [`a malformed list of errors: ${JSON.stringify(errors)}`]),
  ]
}

const required: Readonly<Record<number, string>> = {
  201: 'location',
  401: 'www-authenticate',
  405: 'allow',
  416: 'content-range or accept-ranges',
  429: 'retry-after',
  503: 'retry-after',
}

/** What is wrong with this reply to a request of this method. Bodies that were not sent whole are not looked into. */
export function flawsOf(reply: Reply, method: string | undefined): readonly string[] {
  const { status, headers, body, whole } = reply
  if (status === 0) return ['no whole head']
  const flaws: string[] = []
  const date = headers.get('date')
  if (date === undefined || !fixdate.test(date)) flaws.push(`Date: ${date}`)
  const needed = required[status]?.split(' or ')
  if (needed?.every((name) => !headers.has(name))) flaws.push(`no ${needed.join(' or ')}`)
  // The headers of a handler's own error are those that the handler set.
  const isOurs = status < 400 || headers.get('content-type') === 'application/problem+json'
  if (headers.has('content-type') && isOurs && headers.get('x-content-type-options') !== 'nosniff') flaws.push('its type may be guessed')
  const head = [...headers].map((line) => line.join(': ')).join('\n')
  const [media = '', ...parameters] = (headers.get('content-type') ?? '').split(';')
  if (body.length > 0 && media === '') flaws.push('a body without Content-Type')
  if (media.startsWith('text/') && !parameters.some((one) => one.trim().toLowerCase() === 'charset=utf-8'))
    flaws.push(`${media} of no charset`)
  if (status === 304 || method === 'HEAD' || !whole) return flaws
  const isTextual = media.startsWith('text/') || media.includes('json')
  const text = isTextual ? textOf(body) : ''
  if (text === undefined) return [...flaws, 'a body that is not UTF-8']
  const lines = media === 'application/x-ndjson' ? text.split('\n').slice(0, -1) : media.includes('json') ? [text] : []
  if (lines.some((line) => parsed(line) === undefined)) flaws.push(`no JSON: ${text.slice(0, 60)}`)
  if (status < 400) return flaws
  const isRaised = media === 'text/plain' && (status === 404 || status === 503)
  if (media === 'application/problem+json') flaws.push(...problemFlaws(reply, parsed(text)))
  else if (!isRaised && body.length > 0) flaws.push(`a ${status} of the type ${media}`)
  for (const leak of leaks) if (leak.test(text)) flaws.push(`a leak (${leak.source}): ${text.slice(0, 200)}`)
  for (const secret of secrets) if (text.includes(secret) || head.includes(secret)) flaws.push('it holds a secret')
  return flaws
}
