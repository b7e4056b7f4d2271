/** What the changes of one endpoint do, part by part. */
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
import type { AuthManifest, EndpointManifest, ParameterManifest, ReplyManifest } from './manifest.ts'
import { compareCaptures, compareQuery, compareRequestHeaders, compareResponseHeaders } from './parameterChanges.ts'
import * as reason from './reason.ts'

const judgeAuth: Judge<AuthManifest | null> = (caller, server, sides) => {
  if (server === null) return safeJudgement(reason.credentialsIgnored(sides))
  if (caller === null) return breakingJudgement(reason.credentialsRequired(sides))
  return isEqualJson(caller.kind, server.kind)
    ? unknownJudgement(reason.realmDiffers(sides))
    : breakingJudgement(reason.credentialsDiffer(sides))
}

const judgeEtag: Judge<EndpointManifest['etag']> = (caller, server, sides) => {
  if (server === 'required' && caller !== 'required') return breakingJudgement(reason.conditionRequired(sides))
  if (server === null && caller === true) return breakingJudgement(reason.etagMissing(sides))
  if (server === null && caller !== null) return breakingJudgement(reason.conditionIgnored(sides))
  return safeJudgement(server === true ? reason.etagOptional(sides) : reason.conditionSupported(sides))
}

const judgeFixedHeader: Judge<string | undefined> = (caller, server, sides) => {
  if (caller === undefined) return safeJudgement(reason.additionIgnored(sides))
  return server === undefined ? breakingJudgement(reason.partMissing(sides)) : unknownJudgement(reason.headerValueDiffers(sides, server))
}

const judgeRanges: Judge<readonly string[] | null> = (caller, server, sides) => {
  const missing = (caller ?? []).filter((field) => server?.includes(field) !== true)
  return missing.length > 0 ? breakingJudgement(reason.rangesMissing(sides, missing)) : safeJudgement(reason.rangesSupported(sides))
}

const judgeStatus: Judge<number> = (caller, server, sides) => breakingJudgement(reason.statusDiffers(sides, caller, server))

type ReplyManifests = readonly ReplyManifest[]

const judgeErrors =
  (status: number): Judge<ReplyManifests> =>
  (caller, server, sides) => {
    if (caller.length > 0 && server.length > 0) return unknownJudgement(reason.errorsAmbiguous(status))
    return caller.length === 0 ? unknownJudgement(reason.errorAdded(sides, status)) : safeJudgement(reason.errorRemoved(sides))
  }

function compareErrors(status: number, old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  if (isEqualJson(old, now)) return []
  const place = `error ${status}`
  const [[one, ...more], [other, ...others]] = [old, now]
  if (one === undefined || other === undefined)
    return [createFinding(place, one === undefined ? 'added' : 'removed', old, now, judgeErrors(status))]
  if (more.length > 0 || others.length > 0) return [createFinding(place, 'changed', old, now, judgeErrors(status))]
  return [
    ...compareResponseHeaders(place, one.headers, other.headers),
    ...compareContent(`${place} body`, one.body, other.body, 'answer', true),
  ]
}

function compareResponses(old: ReplyManifest, now: ReplyManifest): readonly Finding[] {
  if (old.status !== now.status) return [createFinding('response status', 'changed', old.status, now.status, judgeStatus)]
  const place = `response ${now.status}`
  return [...compareResponseHeaders(place, old.headers, now.headers), ...compareContent(`${place} body`, old.body, now.body, 'answer')]
}

type HeaderManifests = EndpointManifest['headers']

const omitHeaders = (headers: HeaderManifests, names: readonly string[]): HeaderManifests =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())))

/** What the word `etag` adds to an endpoint is told once, as the word. */
function withoutEtag(endpoint: EndpointManifest): EndpointManifest {
  const { headers, response, errors } = endpoint
  return {
    ...endpoint,
    headers: omitHeaders(headers, ['if-match', 'if-none-match']),
    response: { ...response, headers: omitHeaders(response.headers, ['etag']) },
    errors: errors.filter(({ status }) => status !== 304 && status !== 412 && status !== 428),
  }
}

/** So with ranges: their parameters are read by them alone. */
function withoutRanges(endpoint: EndpointManifest): EndpointManifest {
  const isRange = ([, { codec }]: readonly [string, ParameterManifest]): boolean => codec !== 'range'
  const others = (parameters: HeaderManifests): HeaderManifests => Object.fromEntries(Object.entries(parameters).filter(isRange))
  return { ...endpoint, query: others(endpoint.query), headers: others(endpoint.headers), always: omitAcceptRanges(endpoint.always) }
}

const omitAcceptRanges = (always: EndpointManifest['always']): EndpointManifest['always'] =>
  Object.fromEntries(Object.entries(always).filter(([name]) => name.toLowerCase() !== 'accept-ranges'))

const hasRangeFields = ({ ranges }: EndpointManifest): boolean => ranges !== null

/** Both, as far as their parts are told each by itself. */
function isolateParts(old: EndpointManifest, now: EndpointManifest): readonly [EndpointManifest, EndpointManifest] {
  const [one, other] = old.etag === now.etag ? [old, now] : [withoutEtag(old), withoutEtag(now)]
  return hasRangeFields(old) || hasRangeFields(now) ? [withoutRanges(one), withoutRanges(other)] : [one, other]
}

/** The changes from one endpoint to another that stands at the same route. */
export function compareEndpoints(before: EndpointManifest, after: EndpointManifest): readonly Finding[] {
  const [old, now] = isolateParts(before, after)
  const statuses = [...new Set([...old.errors, ...now.errors].map(({ status }) => status))].sort()
  const raised = (errors: ReplyManifests, status: number): ReplyManifests => errors.filter((error) => error.status === status)
  return [
    ...compareCaptures(old.captures, now.captures),
    ...compareQuery(old.query, now.query),
    ...compareRequestHeaders(old.headers, now.headers),
    ...(isEqualJson(old.auth, now.auth) ? [] : [createFinding('auth', getChangeKind(old.auth, now.auth), old.auth, now.auth, judgeAuth)]),
    ...compareContent('body', old.body, now.body, 'request'),
    ...compareResponses(old.response, now.response),
    ...statuses.flatMap((status) => compareErrors(status, raised(old.errors, status), raised(now.errors, status))),
    ...(old.etag === now.etag ? [] : [createFinding('etag', getChangeKind(old.etag, now.etag), old.etag, now.etag, judgeEtag)]),
    ...listNames(old.always, now.always).flatMap((name) => {
      const [one, other] = [getOwn(old.always, name), getOwn(now.always, name)]
      return one === other ? [] : [createFinding(`always ${name}`, getChangeKind(one, other), one, other, judgeFixedHeader)]
    }),
    ...(isEqualJson(old.ranges, now.ranges)
      ? []
      : [createFinding('ranges', getChangeKind(old.ranges, now.ranges), old.ranges, now.ranges, judgeRanges)]),
  ]
}
