/** Strict UTF-8. */
const utf8Decoder = new TextDecoder('utf-8', { fatal: true })
const utf8Encoder = new TextEncoder()

/** The text, without one leading byte order mark; undefined for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8Decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a text. */
export const encodeUtf8 = (text: string): Uint8Array => utf8Encoder.encode(text)
