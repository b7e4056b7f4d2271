/** What a change of a body does: its media types, whether it streams, and its schema. */
import { getEssence } from '../describe/mediaType.ts'
import { isEqualJson } from './canonical.ts'
import {
  breakingJudgement,
  createFinding,
  type Finding,
  getChangeKind,
  type Judge,
  type Judgement,
  type Sides,
  safeJudgement,
  unknownJudgement,
} from './change.ts'
import type { ContentManifest } from './manifest.ts'
import * as reason from './reason.ts'
import { compareSchemas, type Flow } from './schemaChanges.ts'

type MaybeContent = ContentManifest | null

/** The media types that name a body, without their parameters; the preferred one first. */
const listEssences = ({ media }: ContentManifest): readonly string[] => [...new Set(media.flatMap(({ types }) => types.map(getEssence)))]

const judgeBodyPresence =
  (flow: Flow): Judge<MaybeContent> =>
  (caller, _, sides) => {
    if (flow === 'request')
      return caller === null ? breakingJudgement(reason.bodyRequired(sides)) : unknownJudgement(reason.valueIgnored(sides))
    return caller === null ? safeJudgement(reason.additionIgnored(sides)) : breakingJudgement(reason.partMissing(sides))
  }

/** An error without a body of its own is written as problem details. */
const judgeErrorPresence: Judge<MaybeContent> = (caller, _, sides) =>
  breakingJudgement(caller === null ? reason.errorBodyAdded(sides) : reason.partMissing(sides))

const judgeRequestTypes: Judge<ContentManifest> = (caller, server, sides) => {
  const known = listEssences(server)
  const refused = listEssences(caller).filter((type) => !known.includes(type))
  return refused.length > 0 ? breakingJudgement(reason.mediaTypesRejected(sides, refused)) : safeJudgement(reason.allAccepted(sides))
}

const judgeResponseTypes: Judge<ContentManifest> = (caller, server, sides) => {
  const [asked, offered] = [listEssences(caller), listEssences(server)]
  const missing = asked.filter((type) => !offered.includes(type))
  if (missing.length > 0) return breakingJudgement(reason.mediaTypesMissing(sides, missing))
  const [first = '', other = ''] = [asked[0], offered[0]]
  return first === other ? safeJudgement(reason.additionIgnored(sides)) : unknownJudgement(reason.defaultTypeDiffers(sides, first, other))
}

const judgeStreams: Judge<ContentManifest> = (caller, _, sides) => breakingJudgement(reason.streamingDiffers(sides, caller.streams))

/** One of the two has no schema: whatever its media carry. */
const judgeSchemaPresence =
  (flow: Flow): Judge<ContentManifest> =>
  (caller, server, sides): Judgement => {
    const reader = flow === 'request' ? server : caller
    if (reader.schema === null) return judgeSafeFlow(flow, sides)
    return unknownJudgement(flow === 'request' ? reason.requestUndecided(sides) : reason.responseUndecided(sides))
  }

const judgeSafeFlow = (flow: Flow, sides: Sides): Judgement =>
  safeJudgement(flow === 'request' ? reason.allAccepted(sides) : reason.allExpected(sides))

/** Whether all media carry JSON, so that without a schema any JSON value may stand there. */
const isJsonContent = (content: ContentManifest): boolean => listEssences(content).every((type) => /[/+](json|jsonl|x-ndjson)$/.test(type))

function compareContentSchemas(place: string, old: ContentManifest, now: ContentManifest, flow: Flow): readonly Finding[] {
  if (old.schema !== null && now.schema !== null) return compareSchemas(place, old.schema, now.schema, flow)
  if (old.schema === now.schema) return []
  if (isJsonContent(old) && isJsonContent(now)) return compareSchemas(place, old.schema ?? {}, now.schema ?? {}, flow)
  return [createFinding(`${place} schema`, getChangeKind(old.schema, now.schema), old, now, judgeSchemaPresence(flow))]
}

/** The changes from one body to another. An error's body is told apart from problem details, so that one that appears is a change for its readers. */
export function compareContent(place: string, old: MaybeContent, now: MaybeContent, flow: Flow, isError = false): readonly Finding[] {
  if (old === null && now === null) return []
  if (old === null || now === null)
    return [createFinding(place, getChangeKind(old, now), old, now, isError ? judgeErrorPresence : judgeBodyPresence(flow))]
  if (old.streams !== now.streams) return [createFinding(place, 'changed', old, now, judgeStreams)]
  const judgeTypes = flow === 'request' ? judgeRequestTypes : judgeResponseTypes
  const types = isEqualJson(listEssences(old), listEssences(now)) ? [] : [createFinding(`${place} types`, 'changed', old, now, judgeTypes)]
  return [...types, ...compareContentSchemas(place, old, now, flow)]
}
