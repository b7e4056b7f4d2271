/** Media types of contracts that the toolkit has no word for: the encoding of a word, under another name. */
import { bytes, type Content, json, type MediaType, mediaType, text } from 'lapidary'

/** A body of text in another media type than `text/plain`. */
export const createTextType = (type: string): MediaType<string> => mediaType<string>({ ...text, types: [type] })

/** A value of JSON in a media type of its own, such as `application/vnd.api+json`. */
export const createJsonType = (type: string): MediaType<unknown> => mediaType<unknown>({ ...json, types: [type] })

/** Bytes in another media type than `application/octet-stream`. */
export const createBytesType = (type: string): MediaType<Uint8Array> => mediaType<Uint8Array>({ ...bytes, types: [type] })

/** A form whose parts the contract does not name. The handler reads its bytes. */
export const anyForm: Content<Uint8Array, Uint8Array> = createBytesType('multipart/form-data')
