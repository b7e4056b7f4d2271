/** Parses the text of a file: JSON or YAML. */
import { LineCounter, parseDocument } from 'yaml'
import * as messages from './openapiMessages.ts'

/** How often aliases of YAML may stand for their values: a few lines could otherwise fill the memory. */
const maxAliasCount = 100_000

/**
 * The value of a text of JSON or YAML.
 *
 * @param name of the file, for messages
 * @throws TypeError that names the line and the column
 */
export function parseText(text: string, name: string): unknown {
  const plain = text.replace(/^\ufeff/, '')
  // JSON is YAML as well. Its own parser is many times faster, and the other one tells where an error is.
  if (/^\s*[{[]/.test(plain)) {
    try {
      return JSON.parse(plain)
    } catch {}
  }
  const lineCounter = new LineCounter()
  const document = parseDocument(plain, { lineCounter, merge: true, prettyErrors: false, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    throw new TypeError(messages.malformedFile(name, line, col, error.message))
  }
  try {
    return document.toJS({ maxAliasCount }) as unknown
  } catch (cause) {
    throw new TypeError(messages.malformedFile(name, 1, 1, (cause as Error).message), { cause })
  }
}
