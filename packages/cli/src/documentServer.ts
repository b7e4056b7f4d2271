/** The servers of a document: where requests go, and below which path. */
import * as messages from './cliMessages.ts'
import { CliError } from './context.ts'
import type { Description } from './description.ts'

/** The first server with a URL of its own; undefined where the document has none, or only paths. */
export const findServerUrl = ({ servers }: Description): string | undefined => servers.find((url) => /^https?:\/\/[^{}]+$/i.test(url))

/** The path of the first server: `/api/v1`. Empty: it has none. */
export function getBasePath({ servers: [first = ''] }: Description): string {
  try {
    return new URL(first, 'http://127.0.0.1').pathname.replace(/\/+$/, '')
  } catch {
    return ''
  }
}

/**
 * The URL of a server with the path of the first server of the document. A URL with a path of its own stays, and so does one that ends with
 * a slash.
 *
 * @throws CliError for a text without a scheme, such as `127.0.0.1:8081`, which names the flag
 */
export function addBasePath(flag: string, url: string, path: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url)) throw new CliError(2, messages.urlWithoutScheme(flag, url))
  return path !== '' && /^https?:\/\/[^/?#]+$/i.test(url) ? url + path : url
}
