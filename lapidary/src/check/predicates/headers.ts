/** Which headers an answer has, and what stands in them. */
import { isVaried } from '../../describe/content.ts'
import { elementsOf, isAlone } from '../../describe/headerField.ts'
import { Refusal } from '../../describe/refusal.ts'
import type { Answered } from '../exchange.ts'
import type { Complaint, Invariant, Observed } from '../predicate.ts'

const listOf = (text: string | undefined): readonly string[] => elementsOf(text ?? '').map((one) => one.toLowerCase())

/** The values of each line of a name. */
const linesOf = ({ rawHeaders }: Answered, name: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase())

function declaredHeaders({ asked, answered, subject: { endpoint } }: Observed): Complaint {
  if (asked.method !== endpoint.method && !(asked.method === 'HEAD' && endpoint.method === 'GET')) return undefined
  const reply = [endpoint.response, ...endpoint.errors].find(({ status }) => status === answered.status)
  for (const [name, parameter] of Object.entries(reply?.headers ?? {})) {
    const text = answered.header(name.toLowerCase())
    const value: unknown = parameter.read({
      texts: text === undefined ? [] : !parameter.repeats ? [text] : isAlone(name) ? linesOf(answered, name) : elementsOf(text),
      named: text !== undefined,
    })
    if (!(value instanceof Refusal)) continue
    // An error that is refused before its handler has none of the headers of one that the handler raises.
    if (reply !== endpoint.response && text === undefined) continue
    return `the header ${name} is not as declared: ${value.flaws[0]?.detail ?? 'it cannot be read'}`
  }
  return undefined
}

export const headers: Invariant = {
  name: 'headers',
  sentence: 'Every answer has the headers that it declares, and its endpoint’s constant ones; each can be read.',
  each: (observed) => {
    const { answered, subject, asked, kind } = observed
    const wrong = declaredHeaders(observed)
    if (wrong !== undefined || kind === 'other' || asked.method !== subject.endpoint.method) return wrong
    for (const [name, value] of Object.entries(subject.endpoint.always)) {
      const text = answered.header(name.toLowerCase())
      if (text !== value) return `expected ${name} to be "${value}", got ${text === undefined ? 'none' : `"${text}"`}`
    }
    return undefined
  },
}

export const vary: Invariant = {
  name: 'vary',
  sentence: 'Where Accept chooses among several types, answers and 406 say so in Vary.',
  each: ({ kind, asked, answered, subject: { endpoint } }) => {
    const { content, status } = endpoint.response
    if (kind === 'other' || content === undefined || !isVaried(content)) return undefined
    if (asked.method !== endpoint.method || ![status, 406].includes(answered.status)) return undefined
    const named = listOf(answered.header('vary'))
    return named.includes('accept') || named.includes('*')
      ? undefined
      : `expected Vary to name Accept, got ${answered.header('vary') ?? 'none'}`
  },
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

export const retryAfter: Invariant = {
  name: 'retry-after',
  sentence: 'Retry-After is a number of seconds or a date (RFC 9110 §10.2.3).',
  each: ({ answered }) => {
    const text = answered.header('retry-after')
    return text === undefined || /^\d+$/.test(text) || httpDate.test(text) ? undefined : `Retry-After is "${text}"`
  },
}

export const challenge: Invariant = {
  name: 'challenge',
  sentence: 'A 401 says in WWW-Authenticate how to show who one is (RFC 9110 §15.5.2).',
  each: ({ answered, subject: { endpoint } }) => {
    if (answered.status !== 401) return undefined
    const text = answered.header('www-authenticate')
    const wanted = endpoint.auth?.challenge
    if (text === undefined) return 'expected WWW-Authenticate, got none'
    const scheme = (one: string): string => one.split(' ', 1)[0]?.toLowerCase() ?? ''
    return wanted === undefined || scheme(text) === scheme(wanted) ? undefined : `expected WWW-Authenticate to be ${wanted}, got ${text}`
  },
}

/** One element of a Link header (RFC 8288 §3): its target, and its parameters. */
const element = /^\s*<([^<>"\s]*)>((?:\s*;\s*[\w*!#$&+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)\s*(?:,|$)/

/** The links of a header; undefined where it cannot be read. */
export function linksIn(text: string): readonly { readonly target: string; readonly rel: string }[] | undefined {
  const found: { readonly target: string; readonly rel: string }[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const match = element.exec(rest)
    if (match === null) return undefined
    const [whole, target = '', parameters = ''] = match
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters) ?? []
    found.push({ target, rel: quoted ?? bare ?? '' })
    rest = rest.slice(whole.length).trim()
  }
  return found
}

function linkComplaint({ header }: Answered): Complaint {
  const text = header('link')
  if (text === undefined) return undefined
  const links = linksIn(text)
  if (links === undefined) return `Link cannot be read: ${text}`
  const odd = links.find(({ target, rel }) => rel === '' || !URL.canParse(target, 'http://localhost/'))
  return odd === undefined ? undefined : `a link needs a target and a rel: <${odd.target}>`
}

export const link: Invariant = {
  name: 'link',
  sentence: 'Link headers can be read, and each link has a target and a relation (RFC 8288).',
  each: ({ answered }) => linkComplaint(answered),
}
