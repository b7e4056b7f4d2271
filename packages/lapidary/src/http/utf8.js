/** Bytes to text and back, strictly UTF-8. */
const utf8Decoder = new TextDecoder('utf-8', { fatal: true })
const utf8Encoder = new TextEncoder()
/** The text, without one leading byte order mark; undefined where the bytes are not UTF-8. */
export function decodeUtf8(bytes) {
  try {
    return utf8Decoder.decode(bytes)
  } catch {
    return undefined
  }
}
/** The bytes of a text. */
export const encodeUtf8 = (text) => utf8Encoder.encode(text)
