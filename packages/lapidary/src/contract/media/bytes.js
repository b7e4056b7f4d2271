/** Bytes as they are. */
import { mediaType } from './mediaType.js'
/** `application/octet-stream`: a Uint8Array, never looked into. */
export const bytes = mediaType({
  types: ['application/octet-stream'],
  reader: () => (bytes) => bytes,
  writer: () => (bytes) => bytes,
})
