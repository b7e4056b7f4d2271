/** Secrets that a report must not contain: credentials, and how they are written in requests. */
import type { AnyAuthScheme } from 'lapidary'
import { isJsonObject } from 'lapidary/internal'
import type { WebhookSecret } from 'lapidary/webhooks'
import { testingErrors } from '../testingMessages.ts'
import { createSecretPattern } from './secretPattern.ts'

type HeaderRecord = Readonly<Record<string, string>>

/** Names of headers that hold credentials under any auth scheme. */
const secretNamePattern = /^(?!idempotency-key$).*(?:^(?:proxy-)?authorization$|cookie|key|token|secret|password|signature)/i

/** Whether a header of this name holds credentials. */
export const isSecretName = (name: string): boolean => secretNamePattern.test(name)

/** Members of credentials that identify the caller and are not secret. */
const publicMemberPattern = /^(?:user|username|name|login|email|id|realm|kind|type)$/i

/** Shorter texts are not replaced, because they occur everywhere. */
const minSecretLength = 3

/** Collects the texts within credentials. */
function collectTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(collectTexts)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (publicMemberPattern.test(name) ? [] : collectTexts(member)))
}

/** Decodes the password of a header of the scheme Basic: the report of a server may have it so. */
const listPasswords = (value: string): readonly string[] => {
  const [, pair] = /^basic +(\S+)$/i.exec(value) ?? []
  return pair === undefined
    ? []
    : [
        Buffer.from(pair, 'base64')
          .toString()
          .replace(/^[^:]*:/, ''),
      ]
}

/** Splits the value of a secret header: the whole, the part after the name of a scheme, a password, and the values of cookies. */
const splitHeaderValue = (value: string): readonly string[] => [
  value,
  value.replace(/^[\w-]+ +/, ''),
  ...listPasswords(value),
  ...value.split(';').map((pair) => pair.replace(/^[^=]*=/, '').trim()),
]

/** Credentials as a request has them. */
export interface WrittenCredentials {
  readonly headers: HeaderRecord
  readonly query: Readonly<Record<string, string>>
  /** Of a scheme that signs requests. */
  readonly secret?: WebhookSecret
}

/**
 * Writes credentials as the headers and the query parameters of their auth scheme.
 *
 * @throws TypeError if the scheme cannot write them. Its own error is not repeated, because it may contain them.
 */
export function writeCredentials(auth: AnyAuthScheme, credentials: unknown): WrittenCredentials {
  try {
    return { headers: { ...auth.headers?.(credentials) }, query: { ...auth.query?.(credentials) } }
  } catch {
    throw new TypeError(testingErrors.unwritableCredentials(auth.name))
  }
}

/** Lists the headers of an auth scheme, in lower case; none if the scheme has no example. */
export const listAuthHeaderNames = (auth: AnyAuthScheme): readonly string[] =>
  auth.example === undefined ? [] : Object.keys(writeCredentials(auth, auth.example).headers).map((name) => name.toLowerCase())

/** Where the secrets of a check come from. */
interface SecretSources {
  /** The given credentials. */
  readonly credentials: readonly unknown[]
  /** The same as the auth schemes write them. */
  readonly written: readonly WrittenCredentials[]
  /** Further headers of every request. */
  readonly headers: HeaderRecord
  /** The auth schemes of the API. */
  readonly schemes: readonly AnyAuthScheme[]
}

/** Creates a function that replaces every secret in a text by `***`. */
export function createRedactor({ credentials, written, headers, schemes }: SecretSources): (text: string) => string {
  const authHeaders = schemes.flatMap(listAuthHeaderNames)
  const values = [
    ...written.flatMap((parts) => [...Object.values(parts.headers), ...Object.values(parts.query)]),
    ...Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) || authHeaders.includes(name.toLowerCase()) ? [value] : [])),
  ]
  // HTTP removes white space around a value.
  const texts = [...values.flatMap(splitHeaderValue), ...collectTexts(credentials)].map((text) => text.trim())
  // The longest secret comes first, because a shorter one may be part of it.
  const secrets = [...new Set(texts)].filter((text) => text.length >= minSecretLength).sort((a, b) => b.length - a.length)
  const patterns = secrets.map(createSecretPattern)
  return (text) => patterns.reduce((redacted, pattern) => redacted.replace(pattern, '***'), text)
}
