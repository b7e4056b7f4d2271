/** The media type of a file, by its extension. */
import mime from 'mime'

/** XML, SVG among it, names its encoding itself. */
const textMediaTypePattern = /^text\/(?!xml)|^application\/(?:javascript|json)$/

/** `text/html;charset=utf-8` for `index.html`; `application/octet-stream` for an extension that nobody knows, or none. */
export function getFileMediaType(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream'
  return textMediaTypePattern.test(type) ? `${type};charset=utf-8` : type
}
