import { developerErrors as complaint, isJsonObject } from 'lapidary/internal'

/** Names of headers that hold credentials, whatever the scheme. */
const secretNamePattern = /^(?:proxy-)?authorization$|cookie|key|token|secret|password|signature/i
/** Whether a header of this name holds credentials. */
export const isSecretName = (name) => secretNamePattern.test(name)
/** Members of credentials that say who it is, and are no secret. */
const publicMemberPattern = /^(?:user|username|name|login|email|id|realm|kind|type)$/i
/** Shorter texts stand everywhere. */
const minSecretLength = 3
/** The texts within credentials. */
function collectTexts(value) {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(collectTexts)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (publicMemberPattern.test(name) ? [] : collectTexts(member)))
}
/** The value of a header that holds credentials, and what stands in it: behind the name of a scheme, or of a cookie. */
const splitHeaderValue = (value) => [
  value,
  value.replace(/^[\w-]+ +/, ''),
  ...value.split(';').map((pair) => pair.replace(/^[^=]*=/, '').trim()),
]
/** A text as it may be written elsewhere: in JSON, in a URL. */
const listSpellings = (text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())]
/**
 * The headers by which a scheme is shown credentials.
 *
 * @throws TypeError where it cannot write them; what it says itself might hold them, and is not repeated
 */
export function writeAuthHeaders(auth, credentials) {
  try {
    return { ...auth.headers?.(credentials) }
  } catch {
    throw new TypeError(complaint.unwritableCredentials(auth.name))
  }
}
/** The names of the headers by which a scheme is shown credentials, in lower case; none where it has no example of them. */
export const listAuthHeaderNames = (auth) =>
  auth.example === undefined ? [] : Object.keys(writeAuthHeaders(auth, auth.example)).map((name) => name.toLowerCase())
/** Replaces every secret in a text. */
export function createRedactor({ credentials, credentialHeaders: shown, headers, schemes }) {
  const own = schemes.flatMap(listAuthHeaderNames)
  const lines = [
    ...shown.flatMap((one) => Object.values(one)),
    ...Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) || own.includes(name.toLowerCase()) ? [value] : [])),
  ]
  const all = [...lines.flatMap(splitHeaderValue), ...collectTexts(credentials)]
    .filter((text) => text.length >= minSecretLength)
    .flatMap(listSpellings)
  // The longest first: a shorter one may be a part of it.
  const secrets = [...new Set(all)].sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text)
}
