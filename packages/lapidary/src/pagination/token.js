/** The token of `after`: one place in a collection, as a word that stays good while items come and go. */
import { ParseError } from '../json-schema/parseError.js'
import { hasRoundTrip, printValue, readValue } from './range.js'

/** FNV-1a, 32 bits. Each step is one-to-one, so that a change of one character is always seen, and any other all but once in 4 billion. */
function computeChecksum(text) {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum >>> 0
}
const toByteString = (sum) => String.fromCharCode(sum >>> 24, (sum >>> 16) & 0xff, (sum >>> 8) & 0xff, sum & 0xff)
/** base64url without padding (RFC 4648 §5). */
const encodeBase64Url = (bytes) => btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
function decodeBase64Url(token) {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return '' // A length that no base64 has; nothing is what no token holds.
  }
}
/** No percent-encoded word holds an asterisk: it stands for null, and for no value. */
const absentWord = '*'
const countPattern = /^[0-9]{1,16}$/
/**
 * The tokens of a collection with these fields and this key. A token is no secret and no signature: whoever takes the trouble can read it, and can
 * forge one, which then names another position and nothing more. The checksum, over the names and codecs of the fields as well, is there to tell
 * a mistake from a token; and what a token holds is read by the codecs that read a range.
 */
export function createRangeTokens(fields, key) {
  const names = Object.keys(fields)
  const salt = [...names.map((name) => `${name} ${fields[name]?.codec.name}`), key.name].join('\n')
  function written(field, codec, { value, key: keyValue, plain, order }) {
    const word = value === null ? absentWord : printValue(value, codec)
    // Most pages end where a value does: then it is written once.
    const base = plain.value === undefined ? absentWord : plain.value === value ? '' : printValue(plain.value, codec)
    const words = [names.indexOf(field), order, plain.offset, word, base, printValue(keyValue, key)].join(' ')
    return encodeBase64Url(`${toByteString(computeChecksum(`${salt}\n${words}`))}${words}`)
  }
  function read(field, token) {
    const codec = fields[field]?.codec
    const [, order, offset = '', word = '', base = '', keyWord = ''] = decodeBase64Url(token).slice(4).split(' ')
    if (codec === undefined || (order !== 'asc' && order !== 'desc') || !countPattern.test(offset)) return undefined
    const value = word === absentWord ? null : readValue(word, codec)
    const nearest = base === absentWord ? undefined : base === '' ? value : readValue(base, codec)
    const keyValue = readValue(keyWord, key)
    if (value instanceof ParseError || nearest instanceof ParseError || nearest === null || keyValue instanceof ParseError) return undefined
    const place = { value, key: keyValue, plain: { value: nearest, offset: Number(offset) }, order }
    // One place has one token: whatever else decodes to it, and whatever its checksum does not hold for, is none.
    return written(field, codec, place) === token ? place : undefined
  }
  function write(field, place) {
    const codec = fields[field]?.codec
    if (codec === undefined || !hasRoundTrip(place.key, key) || (place.value !== null && !hasRoundTrip(place.value, codec)))
      return undefined
    return written(field, codec, place)
  }
  return Object.freeze({ write, read })
}
