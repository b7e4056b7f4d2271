/**
 * The query of the client of ts-rest, as an endpoint reads it: `ids[0]=1&ids[1]=2` becomes `ids=1&ids=2`. With `jsonQuery` each value is JSON:
 * `name="opal"` becomes `name=opal`, `ids=[1,2]` becomes `ids=1&ids=2`, and `filter={"owner":"x"}` becomes `filter[owner]=x`.
 */
import type { AnyEndpoint, AnyParameter } from 'lapidary'

type Pair = readonly [name: string, value: string]

const indexPattern = /\[\d*\]$/

/** A list with an index for each item, or with empty brackets. */
function readBrackets([name, value]: Pair, query: Readonly<Record<string, AnyParameter>>): Pair {
  if (Object.hasOwn(query, name)) return [name, value]
  const outer = name.replace(indexPattern, '')
  return Object.hasOwn(query, outer) && query[outer]?.repeats ? [outer, value] : [name, value]
}

/** The value of a text of JSON; any other text as it is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** How deep lists and objects of a query can be. No endpoint reads any that are as deep. */
const maxDepth = 16

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' && value !== null && (depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1)))

/** The texts of a value of JSON, each with its name. */
function spread(name: string, value: unknown, text: string): readonly Pair[] {
  if (typeof value === 'string') return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item: unknown) => spread(name, item, JSON.stringify(item)))
  if (typeof value !== 'object' || value === null) return [[name, text]]
  return Object.entries(value).flatMap(([inner, member]) => spread(`${name}[${inner}]`, member, JSON.stringify(member)))
}

const plain = (name: string): string => name.replace(indexPattern, '')

/** Whether an endpoint reads a name as it is, or as a part of an object. */
const isKnown = (name: string, query: Readonly<Record<string, AnyParameter>>): boolean =>
  Object.keys(query).some((declared) => declared === plain(name) || declared.startsWith(`${name}[`))

/**
 * Rewrites a query.
 *
 * @param search the text after the question mark
 * @returns the same text where an endpoint reads it as it is
 */
export function rewriteQuery(search: string, { query }: Pick<AnyEndpoint, 'query'>, isJson: boolean): string {
  const isPlain = !isJson && !/\[|%5b/i.test(search)
  if (search === '' || isPlain) return search
  const pairs = [...new URLSearchParams(search)]
  const rewritten = pairs.flatMap((pair): readonly Pair[] => {
    const [name, value] = pair
    const parsed = isJson && isKnown(name, query) ? parseJson(value) : undefined
    return parsed === undefined || isDeeper(parsed, maxDepth) ? [readBrackets(pair, query)] : spread(name, parsed, value)
  })
  // Texts of JSON can have half of a surrogate pair, which no URL has.
  return rewritten.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('=')).join('&')
}
