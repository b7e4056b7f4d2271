/** Parses the text of a file: JSON or YAML. */
import { encodePointerStep } from 'lapidary/internal'
import { LineCounter, parseDocument, visit } from 'yaml'
import * as messages from './openapiMessages.ts'

/** How often aliases of YAML may stand for their values: a few lines could otherwise fill the memory. */
const maxAliasCount = 100_000

/** How many aliases a file may have: each one is looked for among all values before it. */
const maxAliases = 10_000

/** How many values may stand within one another: each reader of a document calls itself for each. */
const maxDepth = 500

/** The first names that lead to a value that is too deep; undefined where there is none. */
function findDeepPlace(root: unknown): string | undefined {
  // A value that stands at several places, by aliases of YAML, is in a level once.
  let level = new Map<unknown, string>([[root, '']])
  for (let depth = 0; level.size > 0; depth += 1) {
    const next = new Map<unknown, string>()
    for (const [value, place] of level) {
      if (typeof value !== 'object' || value === null) continue
      if (depth > maxDepth) return place
      for (const [name, member] of Object.entries(value)) next.set(member, depth < 5 ? place + encodePointerStep(name) : place)
    }
    level = next
  }
  return undefined
}

/**
 * The value of a text of JSON or YAML.
 *
 * @param name of the file, for messages
 * @throws TypeError that names the line and the column, or the place of values that are too deep
 */
export function parseText(text: string, name: string): unknown {
  const value = parseValue(text, name)
  const place = findDeepPlace(value)
  if (place !== undefined) throw new TypeError(messages.deepFile(name, place, maxDepth))
  return value
}

function parseValue(text: string, name: string): unknown {
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
  let aliases = 0
  visit(document, {
    Alias: (_key, { range }) => {
      aliases += 1
      if (aliases <= maxAliases) return
      const { line, col } = lineCounter.linePos(range?.[0] ?? 0)
      throw new TypeError(messages.malformedFile(name, line, col, messages.moreAliases(maxAliases)))
    },
  })
  try {
    return document.toJS({ maxAliasCount }) as unknown
  } catch (cause) {
    throw new TypeError(messages.malformedFile(name, 1, 1, (cause as Error).message), { cause })
  }
}
