/** Requests of witnesses: as plain as the description of the caller allows, with the one part that the server refuses. */
import { fillPath, formatCookiePair, getEssence, idempotencyKeyHeader, parsePath } from 'lapidary/internal'
import type { Evidence } from '../change.ts'
import type { EndpointManifest, ParameterManifest } from '../manifest.ts'
import type { NamedText, WitnessRequest } from './witness.ts'
import { findBody, findTexts, toTexts, type WrittenBody, writeWitnessBody } from './witnessText.ts'
import { findBreakingValue } from './witnessValues.ts'

type PartTexts = Readonly<Record<string, readonly string[]>>

/** A parameter of both descriptions. */
interface ParameterSides {
  readonly own: ParameterManifest
  readonly other: ParameterManifest | undefined
}

/** The texts of the parameter that the server refuses; undefined where none is found. An empty list leaves it out. */
function findRefusedTexts({ own, other }: ParameterSides, { counterexample }: Evidence): readonly string[] | undefined {
  if (counterexample !== undefined) return toTexts(counterexample.value)
  // It is read as another value, and not refused.
  if (other?.codec === 'flag') return undefined
  if (other?.required && !own.required) return []
  const texts = findTexts(own, other)
  // The server accepts one value, and the client may send several.
  return own.repeats && other?.repeats === false ? texts && [...texts, ...texts].slice(0, 2) : texts
}

/** Header names are case-insensitive, others are not. */
const findNamed = <Value>(all: Readonly<Record<string, Value>>, name: string, part: string): Value | undefined =>
  Object.entries(all).find(([one]) => (part === 'header' ? one.toLowerCase() === name.toLowerCase() : one === name))?.[1]

/** The texts of the parameters of one part; undefined where one has none. */
function findPartTexts(
  part: string,
  own: Readonly<Record<string, ParameterManifest>>,
  other: Readonly<Record<string, ParameterManifest>>,
  refused: string | undefined,
  evidence: Evidence,
): PartTexts | undefined {
  const texts: Record<string, readonly string[]> = Object.create(null)
  for (const [name, parameter] of Object.entries(own)) {
    const isRefused = refused !== undefined && (part === 'header' ? name.toLowerCase() === refused.toLowerCase() : name === refused)
    if (!isRefused && !parameter.required) continue
    const sides = { own: parameter, other: findNamed(other, name, part) }
    const found = isRefused ? findRefusedTexts(sides, evidence) : findTexts(sides.own, sides.other)
    if (found === undefined) return undefined
    texts[name] = found
  }
  return texts
}

/** Captures are the same where their places in the path are. */
function alignCaptures(own: EndpointManifest, other: EndpointManifest | undefined): Readonly<Record<string, ParameterManifest>> {
  const others = Object.values(other?.captures ?? {})
  return Object.fromEntries(
    Object.keys(own.captures).flatMap((name, index) => {
      const counterpart = others[index]
      return counterpart === undefined ? [] : [[name, counterpart] as const]
    }),
  )
}

/** The name of a capture in the path of the caller: a place has that of the new description. */
function findOwnCapture(name: string, own: EndpointManifest, other: EndpointManifest | undefined): string | undefined {
  if (Object.hasOwn(own.captures, name)) return name
  return Object.keys(own.captures)[Object.keys(other?.captures ?? {}).indexOf(name)]
}

/** The body of a request. `isAbsent`: the request has none. undefined: there is no body that the server refuses. */
function findRequestBody(
  place: string,
  own: EndpointManifest,
  other: EndpointManifest | undefined,
  { counterexample }: Evidence,
): WrittenBody | 'none' | undefined {
  const [content, reader] = [own.body, other?.body]
  const isRefused = place.split(' ')[0] === 'body'
  if (content === null) return 'none'
  if (!isRefused) return content.optional ? 'none' : findBody(content, reader)
  if (place === 'body required') return 'none'
  if (place === 'body types') {
    const known = reader?.media.flatMap(({ types }) => types.map(getEssence)) ?? []
    const media = content.media.filter(({ types }) => !types.some((type) => known.includes(getEssence(type))))
    return findBody({ ...content, media }, undefined)
  }
  const pointer = place.replace(/^body ?/, '').replace(/ ?further members$/, '')
  const found = findBreakingValue(content.schema ?? {}, reader?.schema ?? {}, pointer, counterexample)
  return found && writeWitnessBody(content, reader, found)
}

/**
 * Creates the request of a witness.
 *
 * @param place the part that the server refuses; empty: it has no endpoint for it, or the request is about its response
 * @returns undefined where no such request is found
 */
export function createWitnessRequest(
  place: string,
  own: EndpointManifest,
  other: EndpointManifest | undefined,
  evidence: Evidence,
): WitnessRequest | undefined {
  const [, part = '', name = ''] = /^(\w+) (.*)$/s.exec(place) ?? []
  const refused = (wanted: string): string | undefined => (part === wanted ? name : undefined)
  const capture = part === 'capture' ? findOwnCapture(name, own, other) : undefined
  const captures = findPartTexts('capture', own.captures, alignCaptures(own, other), capture, evidence)
  const query = findPartTexts('query', own.query, other?.query ?? {}, refused('query'), evidence)
  const headers = findPartTexts('header', own.headers, other?.headers ?? {}, refused('header'), evidence)
  const cookies = findPartTexts('cookie', own.cookies, other?.cookies ?? {}, refused('cookie'), evidence)
  const body = findRequestBody(place, own, other, evidence)
  const segments = parsePath(own.path)
  if (captures === undefined || query === undefined || headers === undefined || cookies === undefined || body === undefined)
    return undefined
  if (segments === undefined) return undefined
  const getCapture = (name: string, isRest?: boolean): string => {
    const [text = ''] = captures[name] ?? []
    // A path that other servers do not have has several segments there.
    return isRest && place === 'route' ? `${text}/${text}` : text
  }
  const toLines = (texts: PartTexts): readonly NamedText[] =>
    Object.entries(texts).flatMap(([one, values]) => values.map((value): NamedText => [one, value]))
  const pairs = toLines(cookies).map(([one, value]) => formatCookiePair(one, value))
  const needsKey = own.idempotent === 'required' && place !== 'idempotent'
  return {
    method: own.method,
    path: fillPath(segments, getCapture),
    query: toLines(query),
    headers: [
      ...toLines(headers),
      ...(needsKey ? [[idempotencyKeyHeader, '"1"'] as const] : []),
      ...(pairs.length > 0 ? [['Cookie', pairs.join('; ')] as const] : []),
      ...(body === 'none' ? [] : [['Content-Type', body.type] as const]),
    ],
    ...(body !== 'none' && { body: body.body }),
  }
}
