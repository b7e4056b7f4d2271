/** Compares bodies of requests and responses: whether there is one, its media types, and its schema. */
import { getEssence, isInMediaRange } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import {
  breakingJudgement,
  createFinding,
  type Finding,
  getChangeKind,
  type Judge,
  type Judgement,
  safeJudgement,
  unknownJudgement,
} from './change.ts'
import * as reason from './diffMessages.ts'
import type { ContentManifest } from './manifest.ts'
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
export function compareContent(place: string, old: MaybeContent, now: MaybeContent, flow: Flow, isError = false): readonly Finding[] {
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
