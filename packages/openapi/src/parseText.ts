/** Parses the text of a file: JSON or YAML. */
import { LineCounter, parseDocument, visit } from 'yaml'
import { findDeepPlace, maxDepth } from './depth.ts'
import * as messages from './openapiMessages.ts'

/** How often aliases of YAML may stand for their values: a few lines could otherwise fill the memory. */
const maxAliasCount = 100_000

/** How many aliases a file may have: each one is looked for among all values before it. */
const maxAliases = 10_000

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

/** The texts and the signs of JSON. */
const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/**
 * Rejects two members of one name in an object, as YAML does: which one counts, each parser decides for itself (RFC 8259 §4).
 *
 * @param text valid JSON
 */
function rejectRepeatedNames(text: string, file: string): void {
  // Of an object its names, of an array nothing.
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    const names = open.at(-1)
    if (isName && token.startsWith('"') && names !== undefined) {
      const name = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
      if (names.has(name)) {
        const lines = text.slice(0, index).split('\n')
        const column = (lines.at(-1)?.length ?? 0) + 1
        throw new TypeError(messages.malformedFile(file, lines.length, column, messages.repeatedName(name)))
      }
      names.add(name)
    }
    isName = token === '{' || (token === ',' && names !== undefined)
  }
}

function parseValue(text: string, name: string): unknown {
  const plain = text.replace(/^\ufeff/, '')
  // JSON is YAML as well. Its own parser is many times faster, and the other one tells where an error is.
  if (/^\s*[{[]/.test(plain)) {
    try {
      const value: unknown = JSON.parse(plain)
      rejectRepeatedNames(plain, name)
      return value
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  const lineCounter = new LineCounter()
  const document = parseDocument(plain, { lineCounter, merge: true, prettyErrors: false, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    // The parser calls itself for each value within another.
    const reason = /call stack/i.test(error.message) ? messages.deepValues(maxDepth) : error.message
    throw new TypeError(messages.malformedFile(name, line, col, reason))
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
