/** What a change of a capture, a query parameter or a header does. */
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'
import { candidates, sampled } from './candidates.ts'
import { isSame } from './canonical.ts'
import { breaking, changeOf, type Finding, finding, type Judge, namesOf, own, safe, unknown } from './change.ts'
import { held } from './held.ts'
import type { ParameterManifest } from './manifest.ts'
import { isWithin } from './proof.ts'
import * as reason from './reason.ts'
import { without } from './way.ts'
import { type Within, within } from './within.ts'

type Parameter = ParameterManifest | undefined
type Parameters = Readonly<Record<string, ParameterManifest>>

/** The codecs whose JSON Schema says all that there is to say. Those of one's own may be pickier than their schema. */
const exact: ReadonlySet<string> = new Set(['boolean', 'choice', 'date', 'entity tag', 'entity tags', 'flag', 'integer', 'range', 'text'])

const oneOf = ({ repeats, schema }: ParameterManifest): JsonSchema => (repeats && typeof schema.items === 'object' ? schema.items : schema)
const codecOf = ({ codec }: ParameterManifest): string => codec.replace(/^list of /, '')

type Kind = 'text' | 'number' | 'boolean' | 'other'

function kindOf(schema: JsonSchema): Kind {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const types = new Set([...typesOf(schema), ...(values ?? []).map((value) => typeof value)])
  const [type, ...others] = [...types].map((one) => (one === 'integer' ? 'number' : one === 'string' ? 'text' : one))
  if (others.some((other) => other !== type)) return 'other'
  return type === 'text' || type === 'number' || type === 'boolean' ? type : 'other'
}

/** The value that a text stands for in a schema; the text itself where it stands for none. */
function valueOfText(text: string, schema: JsonSchema): unknown {
  const kind = kindOf(schema)
  if (kind === 'number' && /^-?[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text)
  return kind === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}

/** Whether a schema reads a text, as far as it says. */
export const reads = (schema: JsonSchema, text: string): boolean => held(schema, valueOfText(text, schema)) === undefined

/** Values that stand on the wire as text: an integer is a text, too, and some texts are integers. */
function textsWithin(one: JsonSchema, other: JsonSchema): Within {
  const [from, to] = [kindOf(one), kindOf(other)]
  if (from === to) return within(one, other)
  if (to === 'text' && isWithin({ type: 'string', minLength: 1 }, other)) return { is: 'yes' }
  let best: { readonly instance: unknown; readonly text: string } | undefined
  for (const instance of [...candidates(one, other, [one, other]), ...sampled(one, one)]) {
    const text = String(instance)
    if (typeof instance === 'object' || text === '' || held(one, instance) !== undefined || reads(other, text)) continue
    if (best === undefined || text.length < best.text.length) best = { instance, text }
  }
  const flaw = best && held(other, valueOfText(best.text, other))
  if (best !== undefined && typeof flaw === 'object') return { is: 'no', instance: best.instance, flaw }
  const few = one.enum ?? (from === 'boolean' ? [true, false] : undefined)
  return few?.every((value) => reads(other, String(value))) ? { is: 'yes' } : { is: 'unknown' }
}

/** What the one writes, read by the other. */
function between(writer: ParameterManifest, reader: ParameterManifest): Within {
  const found = textsWithin(oneOf(writer), oneOf(reader))
  if (found.is !== 'yes') return found
  if (writer.repeats && reader.repeats) {
    // Items stand on the wire as text, and are compared as such; what is left is how many there may be.
    const lists = within(without(writer.schema, 'items'), without(reader.schema, 'items'))
    if (lists.is !== 'yes') return lists
  }
  const isSure = codecOf(writer) === codecOf(reader) || exact.has(codecOf(reader))
  return isSure ? found : { is: 'unknown' }
}

/** In a request the caller writes and the server reads. */
export const judgeRequestParameter: Judge<Parameter> = (caller, server, sides) => {
  if (caller === undefined) return server?.required ? breaking(reason.neededInRequest(sides)) : safe(reason.mayBeLeftOut(sides))
  if (server === undefined) return unknown(reason.unread(sides))
  if (server.required && !caller.required) return breaking(reason.neededNow(sides))
  if (caller.repeats && !server.repeats) return breaking(reason.onlyOne(sides))
  if (server.codec === 'flag' && caller.codec !== 'flag') return breaking(reason.anyFlag(sides))
  if (caller.codec === 'flag' && server.codec !== 'flag')
    return reads(oneOf(server), '') ? safe(reason.readToo(sides)) : breaking(reason.noFlag(sides))
  const found = between(caller, server)
  if (found.is === 'no') return breaking(reason.refused(sides, found.instance, found.flaw.asked))
  if (found.is === 'yes') return safe(reason.readToo(sides))
  return unknown(codecOf(caller) === codecOf(server) ? reason.untold(sides) : reason.otherCodec(sides))
}

/** In an answer the server writes and the caller reads. */
const judgeAnswerHeader: Judge<Parameter> = (caller, server, sides) => {
  if (caller === undefined) return safe(reason.leftAlone(sides))
  if (server === undefined) return caller.required ? breaking(reason.neverSent(sides)) : safe(reason.notMissed(sides))
  if (caller.required && !server.required) return breaking(reason.seldomSent(sides))
  if (caller.repeats !== server.repeats) return unknown(reason.untoldAnswer(sides))
  const found = between(server, caller)
  if (found.is === 'no') return breaking(reason.unexpected(sides, found.instance, found.flaw.asked))
  return found.is === 'yes' ? safe(reason.expectedToo(sides)) : unknown(reason.untoldAnswer(sides))
}

function changes(place: string, old: Parameters, now: Parameters, judge: Judge<Parameter>): readonly Finding[] {
  return namesOf(old, now).flatMap((name) => {
    const [one, other] = [own(old, name), own(now, name)]
    return isSame(one, other) ? [] : [finding(`${place} ${name}`, changeOf(one, other), one, other, judge)]
  })
}

/** Header names have no case. */
const lowered = (headers: Parameters): Parameters =>
  Object.fromEntries(Object.entries(headers).map(([name, parameter]) => [name.toLowerCase(), parameter]))

/** The names as they are written, by the names without case. */
const spelling = (...all: readonly Parameters[]): ReadonlyMap<string, string> =>
  new Map(all.flatMap((headers) => Object.keys(headers).map((name) => [name.toLowerCase(), name] as const)))

function headerChanges(place: string, old: Parameters, now: Parameters, judge: Judge<Parameter>): readonly Finding[] {
  const names = spelling(old, now)
  return changes(place, lowered(old), lowered(now), judge).map((found) => ({
    ...found,
    place: `${place} ${names.get(found.place.slice(place.length + 1)) ?? ''}`,
  }))
}

/** Changes of query parameters. */
export const queryChanges = (old: Parameters, now: Parameters): readonly Finding[] => changes('query', old, now, judgeRequestParameter)

/** Changes of request headers. */
export const requestHeaderChanges = (old: Parameters, now: Parameters): readonly Finding[] =>
  headerChanges('header', old, now, judgeRequestParameter)

/** Changes of the headers of an answer. */
export const answerHeaderChanges = (place: string, old: Parameters, now: Parameters): readonly Finding[] =>
  headerChanges(`${place} header`, old, now, judgeAnswerHeader)

/** A capture is never empty: no path has room for one. */
const filled = (parameter: Parameter): Parameter =>
  parameter?.schema.type === 'string' && parameter.schema['minLength'] === undefined
    ? { ...parameter, schema: { ...parameter.schema, minLength: 1 } }
    : parameter

const judgeCapture: Judge<Parameter> = (caller, server, sides) => judgeRequestParameter(filled(caller), server, sides)

/** Changes of captures, by their places in the path: what they are called is nobody's business on the wire. */
export function captureChanges(old: Parameters, now: Parameters): readonly Finding[] {
  const [before, after] = [Object.values(old), Object.values(now)]
  return Object.keys(now).flatMap((name, index) => {
    const [one, other] = [before[index], after[index]]
    return isSame(one, other) ? [] : [finding(`capture ${name}`, 'changed', one, other, judgeCapture)]
  })
}
