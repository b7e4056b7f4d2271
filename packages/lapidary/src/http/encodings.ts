/** Bytes as text: strict UTF-8, and base64. */

const utf8Decoder = new TextDecoder('utf-8', { fatal: true })
const exactUtf8Decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const utf8Encoder = new TextEncoder()

function tryDecode(decoder: typeof utf8Decoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The text of a body, without one leading byte order mark; undefined for bytes that are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => tryDecode(utf8Decoder, bytes)

/** The text of a field or of a form. A byte order mark is a character like any other. Undefined for bytes that are not UTF-8. */
export const decodeExactUtf8 = (bytes: Uint8Array): string | undefined => tryDecode(exactUtf8Decoder, bytes)

/** The bytes of a text. */
export const encodeUtf8 = (text: string): Uint8Array => utf8Encoder.encode(text)

const base64Digits = /* @__PURE__ */ encodeUtf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const asciiDecoder = /* @__PURE__ */ new TextDecoder()

/** Writes bytes as base64. It takes milliseconds for a megabyte, where `btoa` and its argument take hundreds. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
    for (let digit = 0; digit < 4; digit += 1) text[to + digit] = base64Digits[(group >> (18 - 6 * digit)) & 63] ?? 0
  }
  const padding = (3 - (bytes.length % 3)) % 3
  text.fill(0x3d, text.length - padding) // =
  return asciiDecoder.decode(text)
}

/** The bytes of a base64 text. @throws what `atob` throws for any other text */
export function fromBase64(text: string): Uint8Array {
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index)
  return bytes
}
