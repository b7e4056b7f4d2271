/** The media type of a file, by its name. */
import mime from 'mime'

/** Types of text that have no encoding of their own. XML, and so SVG, declares it in the file. */
const textMediaTypePattern = /^text\/(?!xml)|^application\/(?:javascript|json)$/

/** Guesses the media type by the extension of a name: `application/pdf`; undefined for an unknown extension. */
export const guessMediaType = (name: string): string | undefined => mime.getType(name) ?? undefined

/** The media type for a file name, such as `text/html;charset=utf-8`; `application/octet-stream` for an unknown extension. */
export function getFileMediaType(name: string): string {
  const type = guessMediaType(name) ?? 'application/octet-stream'
  return textMediaTypePattern.test(type) ? `${type};charset=utf-8` : type
}
