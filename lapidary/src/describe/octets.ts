/** Bytes as they are. */
import { type Medium, medium } from './medium.ts'

/** `application/octet-stream`: a Uint8Array, never looked into. */
export const octets: Medium<Uint8Array> = medium<Uint8Array>({
  types: ['application/octet-stream'],
  reader: () => (bytes) => bytes,
  writer: () => (bytes) => bytes,
})
