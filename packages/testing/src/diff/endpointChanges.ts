/** Compares the parts of one endpoint: credentials, bodies, responses, errors, conditions, ranges and pages. */
import { getStatusKey } from 'lapidary/internal'
import { judgeAuth, judgeInvalidCredentials } from './authChanges.ts'
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
import { compareContent } from './contentChanges.ts'
import * as reason from './diffMessages.ts'
import type { EndpointManifest, ParameterManifest } from './manifest.ts'
import { compareCaptures, compareCookies, compareQuery, compareRequestHeaders } from './parameterChanges.ts'
import { compareErrors, compareResponses } from './replyChanges.ts'

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
    ...compareErrors(old.errors, now.errors),
    ...compareMember('etag', old.etag, now.etag, judgeEtag),
    ...compareMember('idempotent', old.idempotent, now.idempotent, judgeIdempotent),
    ...compareMember('deprecated', old.deprecated, now.deprecated, judgeDeprecation),
    ...compareAlways(old.always, now.always),
    ...compareMember('ranges', old.ranges, now.ranges, judgeRanges),
    ...compareMember('pages', old.pages, now.pages, judgePages),
  ]
}
