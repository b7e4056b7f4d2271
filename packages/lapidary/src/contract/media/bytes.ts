/** Bytes as they are. */
import { type MediaType, mediaType } from './mediaType.ts'

/** `application/octet-stream`: a Uint8Array, never looked into. */
export const bytes: MediaType<Uint8Array> = mediaType<Uint8Array>({
  types: ['application/octet-stream'],
  reader: () => (bytes) => bytes,
  writer: () => (bytes) => bytes,
})
