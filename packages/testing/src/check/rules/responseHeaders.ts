/** Which headers an answer has, and what stands in them. */

import { isParseError } from 'lapidary'
import { isNegotiated, isSetCookie, splitHeaderList } from 'lapidary/internal'
import type { WireResponse } from '../exchange.ts'
import type { Invariant, ObservedExchange, Violation } from '../rule.ts'

const parseHeaderList = (text: string | undefined): readonly string[] => splitHeaderList(text ?? '').map((one) => one.toLowerCase())

/** The values of each line of a name. */
const listHeaderValues = ({ rawHeaders }: WireResponse, name: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase())

function checkDeclaredHeaders({ request: asked, response: answered, subject: { endpoint } }: ObservedExchange): Violation {
  if (asked.method !== endpoint.method && !(asked.method === 'HEAD' && endpoint.method === 'GET')) return undefined
  const reply = [endpoint.response, ...endpoint.errors].find(({ status }) => status === answered.status)
  for (const [name, parameter] of Object.entries(reply?.headers ?? {})) {
    const text = answered.header(name.toLowerCase())
    const value: unknown = parameter.read({
      values:
        text === undefined
          ? []
          : !parameter.repeats
            ? [text]
            : isSetCookie(name)
              ? listHeaderValues(answered, name)
              : splitHeaderList(text),
      isPresent: text !== undefined,
    })
    if (!isParseError(value)) continue
    // An error that is refused before its handler has none of the headers of one that the handler raises.
    if (reply !== endpoint.response && text === undefined) continue
    return `the header ${name} is not as declared: ${value.issues[0]?.detail ?? 'it cannot be read'}`
  }
  return undefined
}

export const headersRule: Invariant = {
  name: 'headers',
  description: 'Every answer has the headers that it declares, and its endpoint’s constant ones; each can be read.',
  check: (observed) => {
    const { response: answered, subject, request: asked, kind } = observed
    const wrong = checkDeclaredHeaders(observed)
    if (wrong !== undefined || kind === 'other' || asked.method !== subject.endpoint.method) return wrong
    for (const [name, value] of Object.entries(subject.endpoint.responseHeaders)) {
      const text = answered.header(name.toLowerCase())
      if (text !== value) return `expected ${name} to be "${value}", got ${text === undefined ? 'none' : `"${text}"`}`
    }
    return undefined
  },
}

export const varyRule: Invariant = {
  name: 'vary',
  description: 'Where Accept chooses among several types, answers and 406 say so in Vary.',
  check: ({ kind, request: asked, response: answered, subject: { endpoint } }) => {
    const { content, status } = endpoint.response
    if (kind === 'other' || content === undefined || !isNegotiated(content)) return undefined
    if (asked.method !== endpoint.method || ![status, 406].includes(answered.status)) return undefined
    const named = parseHeaderList(answered.header('vary'))
    return named.includes('accept') || named.includes('*')
      ? undefined
      : `expected Vary to name Accept, got ${answered.header('vary') ?? 'none'}`
  },
}

const httpDatePattern =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

export const retryAfterRule: Invariant = {
  name: 'retry-after',
  description: 'Retry-After is a number of seconds or a date (RFC 9110 §10.2.3).',
  check: ({ response: answered }) => {
    const text = answered.header('retry-after')
    return text === undefined || /^\d+$/.test(text) || httpDatePattern.test(text) ? undefined : `Retry-After is "${text}"`
  },
}

export const challengeRule: Invariant = {
  name: 'challenge',
  description: 'A 401 says in WWW-Authenticate how to show who one is (RFC 9110 §15.5.2).',
  check: ({ response: answered, subject: { endpoint } }) => {
    if (answered.status !== 401) return undefined
    const text = answered.header('www-authenticate')
    const wanted = endpoint.auth?.challenge
    if (text === undefined) return 'expected WWW-Authenticate, got none'
    const scheme = (one: string): string => one.split(' ', 1)[0]?.toLowerCase() ?? ''
    return wanted === undefined || scheme(text) === scheme(wanted) ? undefined : `expected WWW-Authenticate to be ${wanted}, got ${text}`
  },
}

/** One element of a Link header (RFC 8288 §3): its target, and its parameters. */
const linkElementPattern = /^\s*<([^<>"\s]*)>((?:\s*;\s*[\w*!#$&+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)\s*(?:,|$)/

/** The links of a header; undefined where it cannot be read. */
export function parseLinkHeader(text: string): readonly { readonly target: string; readonly rel: string }[] | undefined {
  const found: { readonly target: string; readonly rel: string }[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const match = linkElementPattern.exec(rest)
    if (match === null) return undefined
    const [whole, target = '', parameters = ''] = match
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters) ?? []
    found.push({ target, rel: quoted ?? bare ?? '' })
    rest = rest.slice(whole.length).trim()
  }
  return found
}

function checkLinkHeader({ header }: WireResponse): Violation {
  const text = header('link')
  if (text === undefined) return undefined
  const links = parseLinkHeader(text)
  if (links === undefined) return `Link cannot be read: ${text}`
  const odd = links.find(({ target, rel }) => rel === '' || !URL.canParse(target, 'http://localhost/'))
  return odd === undefined ? undefined : `a link needs a target and a rel: <${odd.target}>`
}

export const linkRule: Invariant = {
  name: 'link',
  description: 'Link headers can be read, and each link has a target and a relation (RFC 8288).',
  check: ({ response: answered }) => checkLinkHeader(answered),
}
