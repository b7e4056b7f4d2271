/** Compares captures, query parameters, headers and cookies. */
import { parseSchema, type SchemaNode } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import {
  breakingJudgement,
  createFinding,
  type Finding,
  getChangeKind,
  getOwn,
  type Judge,
  listNames,
  safeJudgement,
  unknownJudgement,
} from './change.ts'
import * as reason from './diffMessages.ts'
import type { ParameterManifest, SetCookieManifest } from './manifest.ts'
import { checkSubschema, type SubschemaResult } from './subschema/checkSubschema.ts'
import { omitKeywords } from './subschema/unfold.ts'
import { checkTextSubschema, isTextValid, mayContainComma } from './textValues.ts'

type MaybeParameter = ParameterManifest | undefined
type ParameterManifests = Readonly<Record<string, ParameterManifest>>
type SetCookieManifests = Readonly<Record<string, SetCookieManifest>>

/** The codecs that read all that their JSON Schema allows. A codec of the application may read less. */
const exactCodecs: ReadonlySet<string> = new Set([
  'boolean',
  'choice',
  'date',
  'decimal',
  'entity tag',
  'entity tags',
  'flag',
  'integer',
  'range',
  'text',
  'uuid',
])

const getItemSchema = ({ repeats, schema }: ParameterManifest): SchemaNode =>
  parseSchema(repeats && typeof schema.items === 'object' ? schema.items : schema)
const getItemCodec = ({ codec }: ParameterManifest): string => codec.replace(/^list of /, '')

/** A list of a single value. */
const oneItem = { type: 'array', minItems: 1, maxItems: 1 } as const

/** Whether the reader reads all that the writer writes. */
function checkParameter(writer: ParameterManifest, reader: ParameterManifest): SubschemaResult {
  const found = checkTextSubschema(getItemSchema(writer), getItemSchema(reader))
  if (found.is !== 'yes') return found
  if (reader.repeats) {
    // Items are sent as text, and have been compared as such. What is left is their number: a single value is a list of one.
    const list = writer.repeats ? omitKeywords(writer.schema, 'items') : oneItem
    const lists = checkSubschema(parseSchema(list), parseSchema(omitKeywords(reader.schema, 'items')))
    if (lists.is !== 'yes') return lists
  }
  const [from, to] = [getItemCodec(writer), getItemCodec(reader)]
  // The text of an integer is that of a number.
  const isSure = from === to || exactCodecs.has(to) || (from === 'integer' && to === 'number')
  return isSure ? found : { is: 'unknown' }
}

/** In a request the client writes and the server reads. */
const judgeRequestParameter: Judge<MaybeParameter> = (caller, server, sides) => {
  if (caller === undefined)
    return server?.required ? breakingJudgement(reason.missingRequired(sides)) : safeJudgement(reason.optionalOmitted(sides))
  if (server === undefined) return unknownJudgement(reason.valueIgnored(sides))
  if (server.required && !caller.required) return breakingJudgement(reason.newlyRequired(sides))
  if (caller.repeats && !server.repeats) return breakingJudgement(reason.singleValueOnly(sides))
  if (server.repeats && caller.delimiter !== server.delimiter) return breakingJudgement(reason.delimiterDiffers(sides))
  if (server.codec === 'flag' && caller.codec !== 'flag') return breakingJudgement(reason.flagIgnoresValue(sides))
  if (caller.codec === 'flag' && server.codec !== 'flag')
    return isTextValid(getItemSchema(server), '')
      ? safeJudgement(reason.allAccepted(sides))
      : breakingJudgement(reason.flagUnreadable(sides))
  const found = checkParameter(caller, server)
  if (found.is === 'no')
    return breakingJudgement(reason.valueRejected(sides, found.instance, found.flaw.expected), { value: found.instance })
  if (found.is === 'yes')
    return caller.required || isEqualJson(caller.default, server.default)
      ? safeJudgement(reason.allAccepted(sides))
      : unknownJudgement(reason.defaultDiffers(sides))
  return unknownJudgement(getItemCodec(caller) === getItemCodec(server) ? reason.requestUndecided(sides) : reason.codecDiffers(sides))
}

/** A header that is a list is split at its commas, those within a value included. */
const judgeRequestHeader: Judge<MaybeParameter> = (caller, server, sides) => {
  const judged = judgeRequestParameter(caller, server, sides)
  const becomesList = caller !== undefined && server?.repeats === true && !caller.repeats
  if (judged.compatibility !== 'safe' || !becomesList || !mayContainComma(getItemSchema(caller))) return judged
  return unknownJudgement(reason.requestUndecided(sides))
}

/** In a response the server writes and the client reads. */
const judgeResponseHeader: Judge<MaybeParameter> = (caller, server, sides) => {
  if (caller === undefined) return safeJudgement(reason.additionIgnored(sides))
  if (server === undefined)
    return caller.required ? breakingJudgement(reason.partMissing(sides)) : safeJudgement(reason.absenceExpected(sides))
  if (caller.required && !server.required) return breakingJudgement(reason.partOptional(sides))
  if (caller.repeats !== server.repeats) return unknownJudgement(reason.responseUndecided(sides))
  const found = checkParameter(server, caller)
  if (found.is === 'no')
    return breakingJudgement(reason.valueUnexpected(sides, found.instance, found.flaw.expected), { value: found.instance })
  return found.is === 'yes' ? safeJudgement(reason.allExpected(sides)) : unknownJudgement(reason.responseUndecided(sides))
}

function compareParameters(
  place: string,
  old: ParameterManifests,
  now: ParameterManifests,
  judge: Judge<MaybeParameter>,
): readonly Finding[] {
  return listNames(old, now).flatMap((name) => {
    const [one, other] = [getOwn(old, name), getOwn(now, name)]
    return isEqualJson(one, other) ? [] : [createFinding(`${place} ${name}`, getChangeKind(one, other), one, other, judge)]
  })
}

/** Header names are case-insensitive. */
const lowercaseNames = (headers: ParameterManifests): ParameterManifests =>
  Object.fromEntries(Object.entries(headers).map(([name, parameter]) => [name.toLowerCase(), parameter]))

/** The names as they are declared, by their lower case. */
const indexSpellings = (...all: readonly ParameterManifests[]): ReadonlyMap<string, string> =>
  new Map(all.flatMap((headers) => Object.keys(headers).map((name) => [name.toLowerCase(), name] as const)))

function compareHeaders(place: string, old: ParameterManifests, now: ParameterManifests, judge: Judge<MaybeParameter>): readonly Finding[] {
  const names = indexSpellings(old, now)
  return compareParameters(place, lowercaseNames(old), lowercaseNames(now), judge).map((found) => ({
    ...found,
    place: `${place} ${names.get(found.place.slice(place.length + 1)) ?? ''}`,
  }))
}

/** Compares query parameters. */
export const compareQuery = (old: ParameterManifests, now: ParameterManifests): readonly Finding[] =>
  compareParameters('query', old, now, judgeRequestParameter)

/** Compares request headers. */
export const compareRequestHeaders = (old: ParameterManifests, now: ParameterManifests): readonly Finding[] =>
  compareHeaders('header', old, now, judgeRequestHeader)

/** Compares the cookies of requests. */
export const compareCookies = (old: ParameterManifests, now: ParameterManifests): readonly Finding[] =>
  compareParameters('cookie', old, now, judgeRequestParameter)

type MaybeCookie = SetCookieManifest | undefined

/** A client that keeps cookies may rely on one, which the descriptions do not tell. */
const judgeSetCookie: Judge<MaybeCookie> = (caller, server, sides) => {
  if (caller === undefined) return safeJudgement(reason.additionIgnored(sides))
  if (server === undefined) return unknownJudgement(reason.cookieNotSet(sides))
  const found = judgeResponseHeader(caller, server, sides)
  if (found.compatibility !== 'safe' || caller.attributes === server.attributes) return found
  return unknownJudgement(reason.cookieAttributesDiffer(sides, server.attributes))
}

/** Compares the cookies that responses set. */
export const compareSetCookies = (place: string, old: SetCookieManifests = {}, now: SetCookieManifests = {}): readonly Finding[] =>
  listNames(old, now).flatMap((name) => {
    const [one, other] = [getOwn(old, name), getOwn(now, name)]
    return isEqualJson(one, other) ? [] : [createFinding(`${place} cookie ${name}`, getChangeKind(one, other), one, other, judgeSetCookie)]
  })

/** Compares response headers. */
export const compareResponseHeaders = (place: string, old: ParameterManifests, now: ParameterManifests): readonly Finding[] =>
  compareHeaders(`${place} header`, old, now, judgeResponseHeader)

/** A capture is never empty. */
const requireCaptureText = (parameter: MaybeParameter): MaybeParameter =>
  parameter?.schema.type === 'string' && parameter.schema['minLength'] === undefined
    ? { ...parameter, schema: { ...parameter.schema, minLength: 1 } }
    : parameter

const judgeCapture: Judge<MaybeParameter> = (caller, server, sides) => judgeRequestParameter(requireCaptureText(caller), server, sides)

/** Compares captures by their places in the path: their names are not sent. */
export function compareCaptures(old: ParameterManifests, now: ParameterManifests): readonly Finding[] {
  const [before, after] = [Object.values(old), Object.values(now)]
  return Object.keys(now).flatMap((name, index) => {
    const [one, other] = [before[index], after[index]]
    return isEqualJson(one, other) ? [] : [createFinding(`capture ${name}`, 'changed', one, other, judgeCapture)]
  })
}
