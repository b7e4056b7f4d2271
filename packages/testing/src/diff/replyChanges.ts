/** Compares what two endpoints respond: successes by their statuses, errors by what a client reads of each status. */
import { findReplies, getStatusKey } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import { breakingJudgement, createFinding, type Finding, getChangeKind, type Judge, safeJudgement, unknownJudgement } from './change.ts'
import { compareContent } from './contentChanges.ts'
import * as reason from './diffMessages.ts'
import type { ReplyManifest } from './manifest.ts'
import { compareResponseHeaders, compareSetCookies } from './parameterChanges.ts'

const judgeStatus: Judge<number> = (caller, server, sides) => breakingJudgement(reason.statusDiffers(sides, caller, server))

type ReplyManifests = readonly ReplyManifest[]

const judgeErrors =
  (status: string): Judge<ReplyManifests> =>
  (caller, server, sides) => {
    if (caller.length > 0 && server.length > 0) return unknownJudgement(reason.errorsAmbiguous(status))
    return caller.length === 0 ? unknownJudgement(reason.errorAdded(sides, status)) : safeJudgement(reason.errorRemoved(sides))
  }

/** What is read of an error, whichever range it is declared for. */
const omitStatus = ({ status, range, ...read }: ReplyManifest): object => read

/** Compares the errors of one status. Their types distinguish problems. */
function compareErrorsOfStatus(status: string, old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  const types = [...new Set([...old, ...now].map(({ problem }) => problem))].sort()
  const ofType = (errors: ReplyManifests, type: string | undefined): ReplyManifests => errors.filter(({ problem }) => problem === type)
  return types.flatMap((type) =>
    compareErrorsOfType(`error ${status}${type === undefined ? '' : ` ${type}`}`, status, ofType(old, type), ofType(now, type)),
  )
}

function compareErrorsOfType(place: string, status: string, old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  if (isEqualJson(old.map(omitStatus), now.map(omitStatus))) return []
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

/** The statuses of a range, those that show it best first. Each has a hundred. */
const listRangeStatuses = (key: string): readonly number[] =>
  (key === 'default' ? [500, 400, 300] : [Number(key[0]) * 100]).flatMap((first) =>
    Array.from({ length: 100 }, (_, index) => first + index),
  )

/**
 * A status of what an error is declared for.
 *
 * @param key `404`, `4XX`, `default`
 * @returns of a range, a status that no narrower key of the errors is for; undefined where all have one
 */
export function findErrorStatus(errors: ReplyManifests, key: string): number | undefined {
  if (/^\d+$/.test(key)) return Number(key)
  return listRangeStatuses(key).find((status) => findReplies(errors, status).some((error) => getStatusKey(error) === key))
}

/** Compares the errors of two endpoints: what clients read of each status, whether it is declared alone or in a range. */
export function compareErrors(old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  const all = [...old, ...now]
  return [...new Set(all.map(getStatusKey))].sort().flatMap((key) => {
    const status = findErrorStatus(all, key)
    return status === undefined ? [] : compareErrorsOfStatus(key, findReplies(old, status), findReplies(now, status))
  })
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

/** Compares the successes of two endpoints. */
export function compareResponses(old: ReplyManifests, now: ReplyManifests): readonly Finding[] {
  const [[one, ...more], [other, ...others]] = [old, now]
  if (more.length + others.length === 0 && one?.status !== other?.status)
    return [createFinding('response status', 'changed', one?.status ?? 0, other?.status ?? 0, judgeStatus)]
  const statuses = [...new Set([...old, ...now].map(({ status }) => status))]
  const findStatus = (replies: ReplyManifests, wanted: number): ReplyManifest | undefined => replies.find(({ status }) => status === wanted)
  return statuses.flatMap((status) => compareResponse(status, findStatus(old, status), findStatus(now, status)))
}
