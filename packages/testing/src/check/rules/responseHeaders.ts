/** Rules about the headers of responses. */
import { type AnyAuthScheme, isParseError } from 'lapidary'

import { findReplies, getSetCookie, isSetCookie, listAuthSchemes, listVaryNames, parseSetCookie, splitHeaderList } from 'lapidary/internal'

import { type Challenge, parseChallenges } from '../challenges.ts'
import type { WireResponse } from '../exchange.ts'
import { type Invariant, listReplies, type ObservedExchange, type Violation } from '../rule.ts'

/** Lists the values of the lines of one header. */
const listHeaderValues = ({ rawHeaders }: WireResponse, name: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase())

function checkDeclaredHeaders({ request, response, subject: { endpoint } }: ObservedExchange): Violation {
  if (request.method !== endpoint.method && !(request.method === 'HEAD' && endpoint.method === 'GET')) return undefined
  const reply = findReplies(listReplies(endpoint), response.status)[0]
  for (const [name, parameter] of Object.entries(reply?.headers ?? {})) {
    const text = response.header(name.toLowerCase())
    const split = (value: string): readonly string[] => (isSetCookie(name) ? listHeaderValues(response, name) : splitHeaderList(value))
    const values = text === undefined ? [] : parameter.repeats ? split(text) : [text]
    const value: unknown = parameter.read({ values, isPresent: text !== undefined })
    if (!isParseError(value)) continue
    // An error that is sent before the handler runs has none of the headers that the handler would add.
    if (reply !== undefined && endpoint.errors.includes(reply) && text === undefined) continue
    return `the header ${name} is not as declared: ${value.issues[0]?.detail ?? 'it cannot be read'}`
  }
  return undefined
}

export const headersRule: Invariant = {
  name: 'headers',
  judges: 'reply',
  description: 'Every response has its declared headers and the constant headers of its endpoint, with valid values.',
  check: (exchange) => {
    const { response, subject, request, kind } = exchange
    const violation = checkDeclaredHeaders(exchange)
    if (violation !== undefined || kind === 'other' || request.method !== subject.endpoint.method) return violation
    for (const [name, expected] of Object.entries(subject.endpoint.responseHeaders)) {
      const value = response.header(name.toLowerCase())
      // An operator can add policies to those of the description.
      if (name === 'RateLimit-Policy' && value?.startsWith(`${expected}, `)) continue
      if (value !== expected) return `expected ${name} to be "${expected}", got ${value === undefined ? 'none' : `"${value}"`}`
    }
    return undefined
  },
}

export const varyRule: Invariant = {
  name: 'vary',
  judges: 'reply',
  description: 'Vary names Accept if it selects one of several media types, and the headers and cookies that a GET reads.',
  check: ({ kind, request, response, subject: { endpoint } }) => {
    if (kind === 'other' || request.method !== endpoint.method) return undefined
    // A 406 is about the usual response.
    const reply = response.status === 406 ? endpoint.response : endpoint.responses.find(({ status }) => status === response.status)
    if (reply === undefined) return undefined
    const names = splitHeaderList(response.header('vary') ?? '').map((name) => name.toLowerCase())
    if (names.includes('*')) return undefined
    const isMissing = (name: string): boolean => !names.includes(name.toLowerCase())
    // A 406 is sent before cookies are read.
    const expected = listVaryNames(endpoint, reply).filter((name) => isMissing(name) && (name === 'Accept' || response.status !== 406))
    return expected.length === 0 ? undefined : `expected Vary to name ${expected.join(', ')}, got ${response.header('vary') ?? 'none'}`
  },
}

/** Attributes without regard to their order, to the case of their names, and to Max-Age of a deleted cookie. */
const normalizeAttributes = (attributes: readonly string[], isDeleted: boolean): string =>
  attributes
    .map((attribute) => attribute.replace(/^[^=]*/, (name) => name.trim().toLowerCase()))
    .filter((attribute) => !isDeleted || !/^(?:max-age|expires)=/.test(attribute))
    .sort()
    .join('; ')

export const setCookieRule: Invariant = {
  name: 'set-cookie',
  judges: 'reply',
  description: 'If a response declares its cookies, it sets no others, and each has the declared attributes.',
  check: ({ kind, request, response, subject: { endpoint } }) => {
    if (kind === 'other' || request.method !== endpoint.method) return undefined
    const [reply] = findReplies([...endpoint.responses, ...endpoint.errors], response.status)
    const declared = reply && getSetCookie(reply.headers)
    if (declared === undefined) return undefined
    for (const { name, attributes, isDeleted } of listHeaderValues(response, 'set-cookie').map(parseSetCookie)) {
      const expected = Object.hasOwn(declared.attributes, name) ? declared.attributes[name] : undefined
      if (expected === undefined) return `the cookie ${name} is not declared`
      if (normalizeAttributes(attributes, isDeleted) !== normalizeAttributes(expected.split('; '), isDeleted))
        return `the cookie ${name} has the attributes "${attributes.join('; ')}", expected "${expected}"`
    }
    return undefined
  },
}

const httpDatePattern =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

export const retryAfterRule: Invariant = {
  name: 'retry-after',
  description: 'Retry-After is a number of seconds or a date (RFC 9110 §10.2.3).',
  check: ({ response }) => {
    const value = response.header('retry-after')
    return value === undefined || /^\d+$/.test(value) || httpDatePattern.test(value) ? undefined : `Retry-After is "${value}"`
  },
}

const limitPattern = /^"(?<policy>[^"]+)";r=(?<remaining>\d{1,15});t=\d{1,15}(?:;pk=:[\w+/]+=*:)?$/

export const rateLimitRule: Invariant = {
  name: 'rate-limit',
  judges: 'reply',
  description: 'RateLimit says how much is left of each policy, never more than its quota; a 429 of a rate limit has Retry-After.',
  check: ({ response, subject: { endpoint } }) => {
    const { rateLimit, errors } = endpoint
    if (rateLimit.length === 0) return undefined
    for (const item of splitHeaderList(response.header('ratelimit') ?? '')) {
      const { policy, remaining } = limitPattern.exec(item)?.groups ?? {}
      if (policy === undefined) return `RateLimit has ${item}, expected an item such as "${rateLimit[0]?.name}";r=1;t=60`
      const quota = rateLimit.find(({ name }) => name === policy)?.quota ?? Number.POSITIVE_INFINITY
      if (Number(remaining) > quota) return `RateLimit says that ${remaining} are left of "${policy}", whose quota is ${quota}`
    }
    const isOfLimit = response.status === 429 && findReplies(errors, 429).length === 0
    return isOfLimit && response.header('retry-after') === undefined ? 'expected the 429 to have Retry-After, got none' : undefined
  },
}

/** Whether a challenge is that of a scheme. The parameters of an API key are its place in a request; a realm may be another. */
function isChallengeOf({ challenge }: AnyAuthScheme, { scheme, parameters }: Challenge): boolean {
  const [declared] = parseChallenges(challenge)
  if (declared?.scheme !== scheme) return false
  return scheme !== 'apikey' || ['in', 'name'].every((name) => parameters.get(name) === declared.parameters.get(name))
}

export const challengeRule: Invariant = {
  name: 'challenge',
  judges: 'reply',
  description: 'A 401 names every auth scheme in WWW-Authenticate (RFC 9110 §15.5.2), and the place of an API key.',
  check: ({ response, subject: { endpoint } }) => {
    if (response.status !== 401) return undefined
    const challenge = response.header('www-authenticate')
    const schemes = listAuthSchemes(endpoint.auth)
    if (challenge === undefined)
      return schemes.length === 0
        ? 'expected WWW-Authenticate, got none. The endpoint has no auth scheme: respond to a wrong password or an old session with 403'
        : `expected WWW-Authenticate to name ${schemes.map((scheme) => scheme.challenge).join(', ')}, got none`
    const challenges = parseChallenges(challenge)
    const missing = schemes.find((scheme) => !challenges.some((one) => isChallengeOf(scheme, one)))
    return missing && `expected WWW-Authenticate to name ${missing.challenge}, got ${challenge}`
  },
}

/** One link of a Link header (RFC 8288 §3): its target and its parameters. */
const linkElementPattern = /^\s*<([^<>"\s]*)>((?:\s*;\s*[\w*!#$&+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)\s*(?:,|$)/

/** Parses a Link header; `undefined` if it is not valid. */
export function parseLinkHeader(text: string): readonly { readonly target: string; readonly rel: string }[] | undefined {
  const links: { readonly target: string; readonly rel: string }[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const match = linkElementPattern.exec(rest)
    if (match === null) return undefined
    const [element, target = '', parameters = ''] = match
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters) ?? []
    links.push({ target, rel: quoted ?? bare ?? '' })
    rest = rest.slice(element.length).trim()
  }
  return links
}

export const linkRule: Invariant = {
  name: 'link',
  description: 'Link headers are valid, and each link has a target and a relation (RFC 8288).',
  check: ({ response }) => {
    const value = response.header('link')
    const links = parseLinkHeader(value ?? '')
    if (links === undefined) return `Link is not valid: ${value}`
    const invalid = links.find(({ target, rel }) => rel === '' || !URL.canParse(target, 'http://localhost/'))
    return invalid === undefined ? undefined : `a link needs a target and a rel: <${invalid.target}>`
  },
}
