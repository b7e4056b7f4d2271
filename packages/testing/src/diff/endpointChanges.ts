/** Compares the parts of one endpoint: credentials, bodies, responses, errors, conditions, ranges and pages. */
import { getEssence, getStatusKey, isInMediaRange } from 'lapidary/internal'
import { judgeAuth, judgeInvalidCredentials } from './authChanges.ts'
import { isEqualJson } from './canonical.ts'
import {
  breakingJudgement,
  createFinding,
  type Finding,
  getChangeKind,
  getOwn,
  type Judge,
  type Judgement,
  listNames,
  safeJudgement,
  unknownJudgement,
} from './change.ts'
import * as reason from './diffMessages.ts'

import type { ContentManifest, EndpointManifest, ParameterManifest, ReplyManifest } from './manifest.ts'
import {
  compareCaptures,
  compareCookies,
  compareQuery,
  compareRequestHeaders,
  compareResponseHeaders,
  compareSetCookies,
} from './parameterChanges.ts'

import { compareSchemas } from './schemaChanges.ts'
import { type Flow, judgeSafe } from './schemaJudgements.ts'
import { checkSubschema } from './subschema/checkSubschema.ts'
import { checkFormSubschema } from './textValues.ts'

type MaybeContent = ContentManifest | null

/** The media types of a body without their parameters, the default first. */
export const listEssences = ({ media }: ContentManifest): readonly string[] => [
  ...new Set(media.flatMap(({ types }) => types.map(getEssence))),
]

const judgeBodyPresence =
  (flow: Flow): Judge<MaybeContent> =>
  (caller, server, sides) => {
    if (flow === 'request' && caller !== null) return unknownJudgement(reason.valueIgnored(sides))
    if (flow === 'request')
      return server?.optional ? safeJudgement(reason.allAccepted(sides)) : breakingJudgement(reason.bodyRequired(sides))
    return caller === null ? safeJudgement(reason.additionIgnored(sides)) : breakingJudgement(reason.partMissing(sides))
  }

/** An error without a declared body is sent as problem details. */
const judgeErrorPresence: Judge<MaybeContent> = (caller, _, sides) =>
  breakingJudgement(caller === null ? reason.errorBodyAdded(sides) : reason.partMissing(sides))

const judgeRequestTypes: Judge<ContentManifest> = (caller, server, sides) => {
  const known = listEssences(server)
  const rejected = listEssences(caller).filter((type) => !known.includes(type))
  return rejected.length > 0 ? breakingJudgement(reason.mediaTypesRejected(sides, rejected)) : safeJudgement(reason.allAccepted(sides))
}

const judgeResponseTypes: Judge<ContentManifest> = (caller, server, sides) => {
  const [wanted, offered] = [listEssences(caller), listEssences(server)]
  const missing = wanted.filter((type) => !offered.some((range) => isInMediaRange(type, range) || isInMediaRange(range, type)))
  if (missing.length > 0) return breakingJudgement(reason.mediaTypesMissing(sides, missing))
  const unexpected = offered.filter((type) => !wanted.some((range) => isInMediaRange(type, range)))
  // Not Accept, but the file says which type it has.
  if (server.download && unexpected.length > 0) return breakingJudgement(reason.mediaTypesUnexpected(sides, unexpected))
  const [first = '', other = ''] = [wanted[0], offered[0]]
  return isInMediaRange(other, first)
    ? safeJudgement(reason.additionIgnored(sides))
    : unknownJudgement(reason.defaultTypeDiffers(sides, first, other))
}

/** One of the two can be left out. */
const judgeOptionalBody: Judge<ContentManifest> = (caller, _, sides) =>
  caller.optional ? breakingJudgement(reason.optionalBodyRequired(sides)) : safeJudgement(reason.allAccepted(sides))

/** One of the two is a file. */
const judgeDownload: Judge<ContentManifest> = (caller, _, sides) =>
  caller.download ? unknownJudgement(reason.fileRangesMissing(sides)) : safeJudgement(reason.additionIgnored(sides))

const judgeStreams: Judge<ContentManifest> = (caller, _, sides) => breakingJudgement(reason.streamingDiffers(sides, caller.streams))

/** One of the two has no schema, and allows any value of its media types. */
const judgeSchemaPresence =
  (flow: Flow): Judge<ContentManifest> =>
  (caller, server, sides): Judgement => {
    const reader = flow === 'request' ? server : caller
    if (reader.schema === null) return judgeSafe(flow, sides)
    return unknownJudgement(flow === 'request' ? reason.requestUndecided(sides) : reason.responseUndecided(sides))
  }

/** Whether all media types are JSON, so that a body without a schema may be any JSON value. */
const isJsonContent = (content: ContentManifest): boolean => listEssences(content).every((type) => /[/+](json|jsonl|x-ndjson)$/.test(type))

/** Whether each value is sent as the text of a field. */
const isFormContent = (content: ContentManifest): boolean =>
  listEssences(content).every((type) => type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data')

/** Compares the schemas of two bodies that both have one. */
export function compareContentSchemas(place: string, old: ContentManifest, now: ContentManifest, flow: Flow): readonly Finding[] {
  const check = [old, now].every(isFormContent) ? checkFormSubschema : checkSubschema
  if (old.schema !== null && now.schema !== null) return compareSchemas(place, old.schema, now.schema, flow, check)
  if (old.schema === now.schema) return []
  if (isJsonContent(old) && isJsonContent(now)) return compareSchemas(place, old.schema ?? {}, now.schema ?? {}, flow)
  return [createFinding(`${place} schema`, getChangeKind(old.schema, now.schema), old, now, judgeSchemaPresence(flow))]
}

/** Compares two bodies. The body of an error replaces problem details, so a new one is a change for its readers. */
function compareContent(place: string, old: MaybeContent, now: MaybeContent, flow: Flow, isError = false): readonly Finding[] {
  if (old === null && now === null) return []
  if (old === null || now === null)
    return [createFinding(place, getChangeKind(old, now), old, now, isError ? judgeErrorPresence : judgeBodyPresence(flow))]
  if (old.streams !== now.streams) return [createFinding(place, 'changed', old, now, judgeStreams)]
  const judgeTypes = flow === 'request' ? judgeRequestTypes : judgeResponseTypes
  const types = isEqualJson(listEssences(old), listEssences(now)) ? [] : [createFinding(`${place} types`, 'changed', old, now, judgeTypes)]
  const presence = old.optional === now.optional ? [] : [createFinding(`${place} required`, 'changed', old, now, judgeOptionalBody)]
  const download = old.download === now.download ? [] : [createFinding(`${place} download`, 'changed', old, now, judgeDownload)]
  return [...presence, ...types, ...download, ...compareContentSchemas(place, old, now, flow)]
}

const judgeEtag: Judge<EndpointManifest['etag']> = (caller, server, sides) => {
  if (server === 'required' && caller !== 'required') return breakingJudgement(reason.conditionRequired(sides))
  if (server === null && caller === true) return breakingJudgement(reason.etagMissing(sides))
  if (server === null && caller !== null) return breakingJudgement(reason.conditionIgnored(sides))
  return safeJudgement(server === true ? reason.etagOptional(sides) : reason.conditionSupported(sides))
}

const judgeIdempotent: Judge<EndpointManifest['idempotent']> = (caller, server, sides) => {
  if (server === 'required' && caller !== 'required') return breakingJudgement(reason.keyRequired(sides))
  return server === null ? breakingJudgement(reason.keyIgnored(sides)) : safeJudgement(reason.keySupported(sides))
}

const judgeFixedHeader: Judge<string | undefined> = (caller, server, sides) => {
  if (caller === undefined) return safeJudgement(reason.additionIgnored(sides))
  return server === undefined ? breakingJudgement(reason.partMissing(sides)) : unknownJudgement(reason.headerValueDiffers(sides, server))
}

const judgeDeprecation: Judge<EndpointManifest['deprecated']> = () => safeJudgement(reason.onlyDeprecation())

const judgeRanges: Judge<readonly string[] | null> = (caller, server, sides) => {
  const missing = (caller ?? []).filter((field) => server?.includes(field) !== true)
  return missing.length > 0 ? breakingJudgement(reason.rangesMissing(sides, missing)) : safeJudgement(reason.rangesSupported(sides))
}

/** A client that does not find the next page takes the page that it has for the last one: no call fails, and items are missing. */
const judgePages: Judge<EndpointManifest['pages']> = (caller, server, sides) => {
  if (server === undefined) return safeJudgement(reason.allItemsSent(sides))
  if (caller === undefined) return breakingJudgement(reason.onlyOnePageRead(sides))
  if (caller.by !== server.by) return breakingJudgement(reason.pagesDiffer(sides, caller.by, server.by))
  return caller.next === undefined
    ? safeJudgement(reason.nextPageFound(sides))
    : breakingJudgement(reason.nextMemberMissing(sides, caller.next))
}

const judgeMaxBodySize: Judge<number | null> = (caller, server, sides) => {
  if (caller === null || server === null) return unknownJudgement(reason.bodySizeUndeclared(sides))
  return server < caller ? breakingJudgement(reason.bodySizeReduced(sides, caller, server)) : safeJudgement(reason.allAccepted(sides))
}

/** How long responses take stands in no description, so a shorter limit may change nothing. */
const judgeTimeout: Judge<number | null> = (caller, server, sides) => {
  if (caller === null || server === null) return unknownJudgement(reason.timeoutUndeclared(sides))
  return server < caller ? unknownJudgement(reason.timeoutReduced(sides, caller, server)) : safeJudgement(reason.timeoutExtended(sides))
}

const judgeStatus: Judge<number> = (caller, server, sides) => breakingJudgement(reason.statusDiffers(sides, caller, server))

type ReplyManifests = readonly ReplyManifest[]

const judgeErrors =
  (status: string): Judge<ReplyManifests> =>
  (caller, server, sides) => {
    if (caller.length > 0 && server.length > 0) return unknownJudgement(reason.errorsAmbiguous(status))
    return caller.length === 0 ? unknownJudgement(reason.errorAdded(sides, status)) : safeJudgement(reason.errorRemoved(sides))
  }

/** Compares the errors of one status. Their types distinguish problems. */
function compareErrors(status: string, old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  const types = [...new Set([...old, ...now].map(({ problem }) => problem))].sort()
  const ofType = (errors: ReplyManifests, type: string | undefined): ReplyManifests => errors.filter(({ problem }) => problem === type)
  return types.flatMap((type) =>
    compareErrorsOfType(`error ${status}${type === undefined ? '' : ` ${type}`}`, status, ofType(old, type), ofType(now, type)),
  )
}

function compareErrorsOfType(place: string, status: string, old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  if (isEqualJson(old, now)) return []
  const [[one, ...more], [other, ...others]] = [old, now]
  if (one === undefined || other === undefined)
    return [createFinding(place, one === undefined ? 'added' : 'removed', old, now, judgeErrors(status))]
  if (more.length > 0 || others.length > 0) return [createFinding(place, 'changed', old, now, judgeErrors(status))]
  return [
    ...compareResponseHeaders(place, one.headers, other.headers),
    ...compareSetCookies(place, one.cookies, other.cookies),
    ...compareContent(`${place} body`, one.body, other.body, 'response', true),
  ]
}

const judgeResponse: Judge<ReplyManifest | undefined> = (caller, server, sides) =>
  caller === undefined && server !== undefined
    ? breakingJudgement(reason.responseAdded(sides, server.status))
    : safeJudgement(reason.responseRemoved(sides))

/** Compares what two endpoints respond with one status. */
function compareResponse(status: number, old: ReplyManifest | undefined, now: ReplyManifest | undefined): readonly Finding[] {
  const place = `response ${status}`
  if (old === undefined || now === undefined) return [createFinding(place, getChangeKind(old, now), old, now, judgeResponse)]
  return [
    ...compareResponseHeaders(place, old.headers, now.headers),
    ...compareSetCookies(place, old.cookies, now.cookies),
    ...compareContent(`${place} body`, old.body, now.body, 'response'),
  ]
}

function compareResponses(old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  const [[one, ...more], [other, ...others]] = [old, now]
  if (more.length + others.length === 0 && one?.status !== other?.status)
    return [createFinding('response status', 'changed', one?.status ?? 0, other?.status ?? 0, judgeStatus)]
  const statuses = [...new Set([...old, ...now].map(({ status }) => status))]
  const findStatus = (replies: ReplyManifests, wanted: number): ReplyManifest | undefined => replies.find(({ status }) => status === wanted)
  return statuses.flatMap((status) => compareResponse(status, findStatus(old, status), findStatus(now, status)))
}

type HeaderManifests = EndpointManifest['headers']

const omitHeaders = (headers: HeaderManifests, names: readonly string[]): HeaderManifests =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())))

/** The endpoint without what `etag` adds to it: a change of `etag` is reported once. */
function withoutEtag(endpoint: EndpointManifest): EndpointManifest {
  const { headers, responses, errors } = endpoint
  return {
    ...endpoint,
    headers: omitHeaders(headers, ['if-match', 'if-none-match']),
    responses: responses.map((response) => ({ ...response, headers: omitHeaders(response.headers, ['etag']) })),
    errors: errors.filter((error) => !['304', '412', '428'].includes(getStatusKey(error))),
  }
}

/** The endpoint without what ranges add to it. */
function withoutRanges(endpoint: EndpointManifest): EndpointManifest {
  const isRange = ([, { codec }]: readonly [string, ParameterManifest]): boolean => codec !== 'range'
  const others = (parameters: HeaderManifests): HeaderManifests => Object.fromEntries(Object.entries(parameters).filter(isRange))
  return { ...endpoint, query: others(endpoint.query), headers: others(endpoint.headers), always: omitAcceptRanges(endpoint.always) }
}

const omitAcceptRanges = (always: EndpointManifest['always']): EndpointManifest['always'] =>
  Object.fromEntries(Object.entries(always).filter(([name]) => name.toLowerCase() !== 'accept-ranges'))

const hasRangeFields = ({ ranges }: EndpointManifest): boolean => ranges !== null

/** Both endpoints without the parts that a change of `etag` or of the ranges explains. */
function isolateParts(old: EndpointManifest, now: EndpointManifest): readonly [EndpointManifest, EndpointManifest] {
  const [one, other] = old.etag === now.etag ? [old, now] : [withoutEtag(old), withoutEtag(now)]
  return hasRangeFields(old) || hasRangeFields(now) ? [withoutRanges(one), withoutRanges(other)] : [one, other]
}

/** Compares two values that one judgement is about. */
const compareMember = <Value>(place: string, old: Value, now: Value, judge: Judge<Value>): readonly Finding[] =>
  isEqualJson(old, now) ? [] : [createFinding(place, getChangeKind(old, now), old, now, judge)]

/** Compares the headers of every response. Their names are case-insensitive. */
function compareAlways(old: EndpointManifest['always'], now: EndpointManifest['always']): readonly Finding[] {
  const lowercase = (headers: EndpointManifest['always']): EndpointManifest['always'] =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const spellings = new Map([old, now].flatMap((headers) => Object.keys(headers).map((name) => [name.toLowerCase(), name] as const)))
  const [before, after] = [lowercase(old), lowercase(now)]
  return listNames(before, after).flatMap((name) =>
    compareMember(`always ${spellings.get(name) ?? name}`, getOwn(before, name), getOwn(after, name), judgeFixedHeader),
  )
}

/** Where one of the two needs no credentials, wrong ones do not count. */
function compareInvalidCredentials(old: EndpointManifest, now: EndpointManifest): readonly Finding[] {
  if (old.auth === null || now.auth === null) return []
  const [before = 'reject', after = 'reject'] = [old.invalidCredentials, now.invalidCredentials]
  return compareMember<'reject' | 'ignore'>('invalid credentials', before, after, judgeInvalidCredentials)
}

/** Compares two endpoints of the same route. */
export function compareEndpoints(before: EndpointManifest, after: EndpointManifest): readonly Finding[] {
  const [old, now] = isolateParts(before, after)
  const statuses = [...new Set([...old.errors, ...now.errors].map(getStatusKey))].sort()
  const ofStatus = (errors: ReplyManifests, status: string): ReplyManifests => errors.filter((error) => getStatusKey(error) === status)
  return [
    ...compareCaptures(old.captures, now.captures),
    ...compareQuery(old.query, now.query),
    ...compareRequestHeaders(old.headers, now.headers),
    ...compareCookies(old.cookies, now.cookies),
    ...compareMember('auth', old.auth, now.auth, judgeAuth),
    ...compareInvalidCredentials(old, now),
    ...compareContent('body', old.body, now.body, 'request'),
    ...compareMember('maxBodySize', old.maxBodySize, now.maxBodySize, judgeMaxBodySize),
    ...compareMember('timeout', old.timeout, now.timeout, judgeTimeout),
    ...compareResponses(old.responses, now.responses),
    ...statuses.flatMap((status) => compareErrors(status, ofStatus(old.errors, status), ofStatus(now.errors, status))),
    ...compareMember('etag', old.etag, now.etag, judgeEtag),
    ...compareMember('idempotent', old.idempotent, now.idempotent, judgeIdempotent),
    ...compareMember('deprecated', old.deprecated, now.deprecated, judgeDeprecation),
    ...compareAlways(old.always, now.always),
    ...compareMember('ranges', old.ranges, now.ranges, judgeRanges),
    ...compareMember('pages', old.pages, now.pages, judgePages),
  ]
}
