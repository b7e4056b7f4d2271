/** Bytes to text and back, strictly UTF-8. */
const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** The text, without one leading byte order mark; undefined where the bytes are not UTF-8. */
export function utf8Decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a text. */
export const utf8Encoded = (text: string): Uint8Array => encoder.encode(text)
