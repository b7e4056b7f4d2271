/** The token of `after`: one place in a collection, as a word that stays good while items come and go. */
import { isParseError } from '../json-schema/parseError.ts'
import { hasRoundTrip, printValue, type RangeField, readValue, type SortOrder, type ValueCodec } from './range.ts'
import type { FieldValue } from './source.ts'

/** The items behind a place without its key: those strictly after `value`, but for the first `offset`. */
export interface PlainPosition {
  readonly value: string | number | undefined
  readonly offset: number
}

/** A place between two items: behind the position (`value`, `key`), whether an item is still there or not. */
export interface TokenPosition {
  readonly value: FieldValue
  readonly key: string | number
  /** The same place in plain words, as it was when the token was made, in the order of its page. It lets `Next-Range` be told without counting. */
  readonly plain: PlainPosition
  readonly order: SortOrder
}

/** Writes and reads the tokens of one collection. */
export interface RangeTokens {
  /** undefined where the value or the key has no text that its codec would read as the same again. */
  readonly write: (field: string, place: TokenPosition) => string | undefined
  /** undefined for a token that was not made here, or not for this field. */
  readonly read: (field: string, token: string) => TokenPosition | undefined
}

/** FNV-1a, 32 bits. Each step is one-to-one, so that a change of one character is always seen, and any other all but once in 4 billion. */
function computeChecksum(text: string): number {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum >>> 0
}

const toByteString = (sum: number): string => String.fromCharCode(sum >>> 24, (sum >>> 16) & 0xff, (sum >>> 8) & 0xff, sum & 0xff)

/** base64url without padding (RFC 4648 §5). */
const encodeBase64Url = (bytes: string): string => btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

function decodeBase64Url(token: string): string {
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
export function createRangeTokens(fields: Readonly<Record<string, RangeField>>, key: ValueCodec): RangeTokens {
  const names = Object.keys(fields)
  const salt = [...names.map((name) => `${name} ${fields[name]?.codec.name}`), key.name].join('\n')

  function written(field: string, codec: ValueCodec, { value, key: keyValue, plain, order }: TokenPosition): string {
    const word = value === null ? absentWord : printValue(value, codec)
    // Most pages end where a value does: then it is written once.
    const base = plain.value === undefined ? absentWord : plain.value === value ? '' : printValue(plain.value, codec)
    const words = [names.indexOf(field), order, plain.offset, word, base, printValue(keyValue, key)].join(' ')
    return encodeBase64Url(`${toByteString(computeChecksum(`${salt}\n${words}`))}${words}`)
  }

  function read(field: string, token: string): TokenPosition | undefined {
    const codec = fields[field]?.codec
    const [, order, offset = '', word = '', base = '', keyWord = ''] = decodeBase64Url(token).slice(4).split(' ')
    if (codec === undefined || (order !== 'asc' && order !== 'desc') || !countPattern.test(offset)) return undefined
    const value = word === absentWord ? null : readValue(word, codec)
    const nearest = base === absentWord ? undefined : base === '' ? value : readValue(base, codec)
    const keyValue = readValue(keyWord, key)
    if (isParseError(value) || isParseError(nearest) || nearest === null || isParseError(keyValue)) return undefined
    const place = { value, key: keyValue, plain: { value: nearest, offset: Number(offset) }, order } satisfies TokenPosition
    // One place has one token: whatever else decodes to it, and whatever its checksum does not hold for, is none.
    return written(field, codec, place) === token ? place : undefined
  }

  function write(field: string, place: TokenPosition): string | undefined {
    const codec = fields[field]?.codec
    if (codec === undefined || !hasRoundTrip(place.key, key) || (place.value !== null && !hasRoundTrip(place.value, codec)))
      return undefined
    return written(field, codec, place)
  }

  return Object.freeze({ write, read })
}
