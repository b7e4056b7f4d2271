/** The token of `after`: one position in a collection, as a word that stays valid while items are added and removed. */
import { isParseError } from '../json-schema/parseError.ts'
import { hasRoundTrip, printValue, type RangeFields, readValue, type SortOrder, type ValueCodec } from './range.ts'
import type { FieldValue } from './source.ts'

/** A position without a key: after `value`, after `offset` items. */
export interface PlainPosition {
  readonly value: string | number | undefined
  readonly offset: number
}

/** A position between two items: after (`value`, `key`), even if no item is there. */
export interface TokenPosition {
  readonly value: FieldValue
  readonly key: string | number
  /**
   * The same position without a key, as it was when the token was made, in the order of its page. `Next-Range` follows from it without
   * counting.
   */
  readonly plain: PlainPosition
  readonly order: SortOrder
}

/** Writes and reads the tokens of one collection. */
export interface RangeTokens {
  /** Returns undefined if the codec of the value or the key cannot write it and read it again. */
  readonly write: (field: string, position: TokenPosition) => string | undefined
  /** Returns undefined for a token of another collection or another field. */
  readonly read: (field: string, token: string) => TokenPosition | undefined
}

/**
 * Computes FNV-1a with 32 bits. Each step is one-to-one: it detects every change of one character, and all but one in 4 billion of any
 * other.
 */
function computeChecksum(text: string): number {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum >>> 0
}

const toByteString = (sum: number): string => String.fromCharCode(sum >>> 24, (sum >>> 16) & 0xff, (sum >>> 8) & 0xff, sum & 0xff)

/** Encodes bytes as base64url without padding (RFC 4648 §5). */
const encodeBase64Url = (bytes: string): string => btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

function decodeBase64Url(token: string): string {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return '' // No token is empty.
  }
}

/** Stands for null, and for no value. No percent-encoded word has an asterisk. */
const absentWord = '*'
const countPattern = /^[0-9]{1,16}$/

/**
 * Compiles the tokens of a collection.
 *
 * A token is neither secret nor signed: a client can read it, and forge one, which only names another position. The checksum, which covers
 * the names and codecs of the fields, tells a token from a mistake. The codecs that read ranges also read what a token holds.
 *
 * @param keyCodec the codec of the key
 */
export function createRangeTokens(fields: RangeFields, keyCodec: ValueCodec): RangeTokens {
  const names = Object.keys(fields)
  const salt = [...names.map((name) => `${name} ${fields[name]?.codec.name}`), keyCodec.name].join('\n')

  function encode(field: string, codec: ValueCodec, { value, key, plain, order }: TokenPosition): string {
    const word = value === null ? absentWord : printValue(value, codec)
    // Most pages end where a value ends: then it is written once.
    const plainWord = plain.value === undefined ? absentWord : plain.value === value ? '' : printValue(plain.value, codec)
    const words = [names.indexOf(field), order, plain.offset, word, plainWord, printValue(key, keyCodec)].join(' ')
    return encodeBase64Url(`${toByteString(computeChecksum(`${salt}\n${words}`))}${words}`)
  }

  function read(field: string, token: string): TokenPosition | undefined {
    const codec = fields[field]?.codec
    const [, order, offset = '', word = '', plainWord = '', keyWord = ''] = decodeBase64Url(token).slice(4).split(' ')
    if (codec === undefined || (order !== 'asc' && order !== 'desc') || !countPattern.test(offset)) return undefined
    const value = word === absentWord ? null : readValue(word, codec)
    const plainValue = plainWord === absentWord ? undefined : plainWord === '' ? value : readValue(plainWord, codec)
    const key = readValue(keyWord, keyCodec)
    if (isParseError(value) || isParseError(plainValue) || plainValue === null || isParseError(key)) return undefined
    const position = { value, key, plain: { value: plainValue, offset: Number(offset) }, order } satisfies TokenPosition
    // A position has exactly one token. Another text that decodes to it, or has a wrong checksum, is rejected.
    return encode(field, codec, position) === token ? position : undefined
  }

  function write(field: string, position: TokenPosition): string | undefined {
    const codec = fields[field]?.codec
    if (codec === undefined || !hasRoundTrip(position.key, keyCodec)) return undefined
    if (position.value !== null && !hasRoundTrip(position.value, codec)) return undefined
    return encode(field, codec, position)
  }

  return Object.freeze({ write, read })
}
