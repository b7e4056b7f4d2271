/** What the changes of one endpoint do, part by part. */
import { isSame } from './canonical.ts'
import { breaking, changeOf, type Finding, finding, type Judge, namesOf, own, safe, unknown } from './change.ts'
import { contentChanges } from './contentChanges.ts'
import type { AuthManifest, EndpointManifest, ParameterManifest, ReplyManifest } from './manifest.ts'
import { answerHeaderChanges, captureChanges, queryChanges, requestHeaderChanges } from './parameterChanges.ts'
import * as reason from './reason.ts'

const judgeAuth: Judge<AuthManifest | null> = (caller, server, sides) => {
  if (server === null) return safe(reason.credentialsSpare(sides))
  if (caller === null) return breaking(reason.credentialsNeeded(sides))
  return isSame(caller.kind, server.kind) ? unknown(reason.otherRealm(sides)) : breaking(reason.otherCredentials(sides))
}

const judgeEtag: Judge<EndpointManifest['etag']> = (caller, server, sides) => {
  if (server === 'required' && caller !== 'required') return breaking(reason.conditionNeeded(sides))
  if (server === null && caller === true) return breaking(reason.tagMissing(sides))
  if (server === null && caller !== null) return breaking(reason.conditionUnread(sides))
  return safe(server === true ? reason.tagSpare(sides) : reason.conditionHeeded(sides))
}

const judgeAlways: Judge<string | undefined> = (caller, server, sides) => {
  if (caller === undefined) return safe(reason.leftAlone(sides))
  return server === undefined ? breaking(reason.neverSent(sides)) : unknown(reason.otherValue(sides, server))
}

const judgeRanges: Judge<readonly string[] | null> = (caller, server, sides) => {
  const missing = (caller ?? []).filter((field) => server?.includes(field) !== true)
  return missing.length > 0 ? breaking(reason.rangesMissing(sides, missing)) : safe(reason.rangesSpare(sides))
}

const judgeStatus: Judge<number> = (caller, server, sides) => breaking(reason.otherStatus(sides, caller, server))

type Replies = readonly ReplyManifest[]

const judgeErrors =
  (status: number): Judge<Replies> =>
  (caller, server, sides) => {
    if (caller.length > 0 && server.length > 0) return unknown(reason.severalErrors(status))
    return caller.length === 0 ? unknown(reason.newError(sides, status)) : safe(reason.noError(sides))
  }

function errorChanges(status: number, old: Replies, now: Replies): readonly Finding[] {
  if (isSame(old, now)) return []
  const place = `error ${status}`
  const [[one, ...more], [other, ...others]] = [old, now]
  if (one === undefined || other === undefined)
    return [finding(place, one === undefined ? 'added' : 'removed', old, now, judgeErrors(status))]
  if (more.length > 0 || others.length > 0) return [finding(place, 'changed', old, now, judgeErrors(status))]
  return [
    ...answerHeaderChanges(place, one.headers, other.headers),
    ...contentChanges(`${place} body`, one.body, other.body, 'answer', true),
  ]
}

function responseChanges(old: ReplyManifest, now: ReplyManifest): readonly Finding[] {
  if (old.status !== now.status) return [finding('response status', 'changed', old.status, now.status, judgeStatus)]
  const place = `response ${now.status}`
  return [...answerHeaderChanges(place, old.headers, now.headers), ...contentChanges(`${place} body`, old.body, now.body, 'answer')]
}

type Headers = EndpointManifest['headers']

const leaveOut = (headers: Headers, names: readonly string[]): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())))

/** What the word `etag` adds to an endpoint is told once, as the word. */
function untagged(endpoint: EndpointManifest): EndpointManifest {
  const { headers, response, errors } = endpoint
  return {
    ...endpoint,
    headers: leaveOut(headers, ['if-match', 'if-none-match']),
    response: { ...response, headers: leaveOut(response.headers, ['etag']) },
    errors: errors.filter(({ status }) => status !== 304 && status !== 412 && status !== 428),
  }
}

/** So with ranges: their parameters are read by them alone. */
function unranged(endpoint: EndpointManifest): EndpointManifest {
  const isRange = ([, { codec }]: readonly [string, ParameterManifest]): boolean => codec !== 'range'
  const others = (parameters: Headers): Headers => Object.fromEntries(Object.entries(parameters).filter(isRange))
  return { ...endpoint, query: others(endpoint.query), headers: others(endpoint.headers), always: leaveOutValue(endpoint.always) }
}

const leaveOutValue = (always: EndpointManifest['always']): EndpointManifest['always'] =>
  Object.fromEntries(Object.entries(always).filter(([name]) => name.toLowerCase() !== 'accept-ranges'))

const hasRanges = ({ ranges }: EndpointManifest): boolean => ranges !== null

/** Both, as far as their parts are told each by itself. */
function bare(old: EndpointManifest, now: EndpointManifest): readonly [EndpointManifest, EndpointManifest] {
  const [one, other] = old.etag === now.etag ? [old, now] : [untagged(old), untagged(now)]
  return hasRanges(old) || hasRanges(now) ? [unranged(one), unranged(other)] : [one, other]
}

/** The changes from one endpoint to another that stands at the same route. */
export function endpointChanges(before: EndpointManifest, after: EndpointManifest): readonly Finding[] {
  const [old, now] = bare(before, after)
  const statuses = [...new Set([...old.errors, ...now.errors].map(({ status }) => status))].sort()
  const raised = (errors: Replies, status: number): Replies => errors.filter((error) => error.status === status)
  return [
    ...captureChanges(old.captures, now.captures),
    ...queryChanges(old.query, now.query),
    ...requestHeaderChanges(old.headers, now.headers),
    ...(isSame(old.auth, now.auth) ? [] : [finding('auth', changeOf(old.auth, now.auth), old.auth, now.auth, judgeAuth)]),
    ...contentChanges('body', old.body, now.body, 'request'),
    ...responseChanges(old.response, now.response),
    ...statuses.flatMap((status) => errorChanges(status, raised(old.errors, status), raised(now.errors, status))),
    ...(old.etag === now.etag ? [] : [finding('etag', changeOf(old.etag, now.etag), old.etag, now.etag, judgeEtag)]),
    ...namesOf(old.always, now.always).flatMap((name) => {
      const [one, other] = [own(old.always, name), own(now.always, name)]
      return one === other ? [] : [finding(`always ${name}`, changeOf(one, other), one, other, judgeAlways)]
    }),
    ...(isSame(old.ranges, now.ranges) ? [] : [finding('ranges', changeOf(old.ranges, now.ranges), old.ranges, now.ranges, judgeRanges)]),
  ]
}
