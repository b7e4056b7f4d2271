/** `bytes`: a body without structure. */
import { type MediaType, mediaType } from './mediaType.ts'

/**
 * `application/octet-stream`: a `Uint8Array`, unchanged.
 *
 * @example
 * ```ts
 * import { bytes, endpoint, noContent } from 'lapidary'
 *
 * const upload = endpoint('PUT /file', { body: bytes, response: noContent })
 * ```
 */
export const bytes: MediaType<Uint8Array> = mediaType<Uint8Array>({
  types: ['application/octet-stream'],
  reader: () => (body) => body,
  writer: () => (body) => body,
})
