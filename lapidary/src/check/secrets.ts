/** What no report may show: credentials, wherever they turn up. */
import type { Auth } from '../describe/auth.ts'
import * as complaint from '../describe/complaint.ts'
import { isObject } from '../describe/jsonSchema.ts'

type AnyAuth = Auth<unknown, unknown>
type Headers = Readonly<Record<string, string>>

/** Names of headers that hold credentials, whatever the scheme. */
const telling = /^(?:proxy-)?authorization$|cookie|key|token|secret|password|signature/i

/** Whether a header of this name holds credentials. */
export const isTelling = (name: string): boolean => telling.test(name)

/** Members of credentials that say who it is, and are no secret. */
const known = /^(?:user|username|name|login|email|id|realm|kind|type)$/i

/** Shorter texts stand everywhere. */
const shortest = 3

/** The texts within credentials. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (known.test(name) ? [] : textsIn(member)))
}

/** The value of a header that holds credentials, and what stands in it: behind the name of a scheme, or of a cookie. */
const partsOf = (value: string): readonly string[] => [
  value,
  value.replace(/^[\w-]+ +/, ''),
  ...value.split(';').map((pair) => pair.replace(/^[^=]*=/, '').trim()),
]

/** A text as it may be written elsewhere: in JSON, in a URL. */
const spellings = (text: string): readonly string[] => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())]

/**
 * The headers by which a scheme is shown credentials.
 *
 * @throws TypeError where it cannot write them; what it says itself might hold them, and is not repeated
 */
export function headersFor(auth: AnyAuth, credentials: unknown): Headers {
  try {
    return { ...auth.headers?.(credentials) }
  } catch {
    throw new TypeError(complaint.unwrittenCredentials(auth.name))
  }
}

/** The names of the headers by which a scheme is shown credentials, in lower case; none where it has no example of them. */
export const headersOf = (auth: AnyAuth): readonly string[] =>
  auth.example === undefined ? [] : Object.keys(headersFor(auth, auth.example)).map((name) => name.toLowerCase())

/** Credentials, and further headers, of all requests. */
export interface Shown {
  /** What was given for schemes. */
  readonly credentials: readonly unknown[]
  /** How the schemes write it. */
  readonly shown: readonly Headers[]
  /** Further headers. */
  readonly headers: Headers
  /** The schemes of the API. */
  readonly schemes: readonly AnyAuth[]
}

/** Replaces every secret in a text. */
export function hiding({ credentials, shown, headers, schemes }: Shown): (text: string) => string {
  const own = schemes.flatMap(headersOf)
  const lines = [
    ...shown.flatMap((one) => Object.values(one)),
    ...Object.entries(headers).flatMap(([name, value]) => (isTelling(name) || own.includes(name.toLowerCase()) ? [value] : [])),
  ]
  const all = [...lines.flatMap(partsOf), ...textsIn(credentials)].filter((text) => text.length >= shortest).flatMap(spellings)
  // The longest first: a shorter one may be a part of it.
  const secrets = [...new Set(all)].sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text)
}
