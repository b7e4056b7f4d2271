/** What a change of a body does: its media types, whether it streams, and its schema. */
import { essenceOf } from '../describe/mediaType.ts'
import { isSame } from './canonical.ts'
import { breaking, changeOf, type Finding, finding, type Judge, type Judgement, type Sides, safe, unknown } from './change.ts'
import type { ContentManifest } from './manifest.ts'
import * as reason from './reason.ts'
import { type Flow, schemaChanges } from './schemaChanges.ts'

type Content = ContentManifest | null

/** The media types that name a body, without their parameters; the preferred one first. */
const essencesOf = ({ media }: ContentManifest): readonly string[] => [...new Set(media.flatMap(({ types }) => types.map(essenceOf)))]

const judgePresence =
  (flow: Flow): Judge<Content> =>
  (caller, _, sides) => {
    if (flow === 'request') return caller === null ? breaking(reason.bodyNeeded(sides)) : unknown(reason.unread(sides))
    return caller === null ? safe(reason.leftAlone(sides)) : breaking(reason.neverSent(sides))
  }

/** An error without a body of its own is written as problem details. */
const judgeErrorPresence: Judge<Content> = (caller, _, sides) =>
  breaking(caller === null ? reason.errorBody(sides) : reason.neverSent(sides))

const judgeRequestTypes: Judge<ContentManifest> = (caller, server, sides) => {
  const known = essencesOf(server)
  const refused = essencesOf(caller).filter((type) => !known.includes(type))
  return refused.length > 0 ? breaking(reason.typesRefused(sides, refused)) : safe(reason.readToo(sides))
}

const judgeAnswerTypes: Judge<ContentManifest> = (caller, server, sides) => {
  const [asked, offered] = [essencesOf(caller), essencesOf(server)]
  const missing = asked.filter((type) => !offered.includes(type))
  if (missing.length > 0) return breaking(reason.typesMissing(sides, missing))
  const [first = '', other = ''] = [asked[0], offered[0]]
  return first === other ? safe(reason.leftAlone(sides)) : unknown(reason.otherFirst(sides, first, other))
}

const judgeStreams: Judge<ContentManifest> = (caller, _, sides) => breaking(reason.streams(sides, caller.streams))

/** One of the two has no schema: whatever its media carry. */
const judgeSchemaPresence =
  (flow: Flow): Judge<ContentManifest> =>
  (caller, server, sides): Judgement => {
    const reader = flow === 'request' ? server : caller
    if (reader.schema === null) return fine(flow, sides)
    return unknown(flow === 'request' ? reason.untold(sides) : reason.untoldAnswer(sides))
  }

const fine = (flow: Flow, sides: Sides): Judgement => safe(flow === 'request' ? reason.readToo(sides) : reason.expectedToo(sides))

/** Whether all media carry JSON, so that without a schema any JSON value may stand there. */
const isJson = (content: ContentManifest): boolean => essencesOf(content).every((type) => /[/+](json|jsonl|x-ndjson)$/.test(type))

function formChanges(place: string, old: ContentManifest, now: ContentManifest, flow: Flow): readonly Finding[] {
  if (old.schema !== null && now.schema !== null) return schemaChanges(place, old.schema, now.schema, flow)
  if (old.schema === now.schema) return []
  if (isJson(old) && isJson(now)) return schemaChanges(place, old.schema ?? {}, now.schema ?? {}, flow)
  return [finding(`${place} schema`, changeOf(old.schema, now.schema), old, now, judgeSchemaPresence(flow))]
}

/** The changes from one body to another. An error's body is told apart from problem details, so that one that appears is a change for its readers. */
export function contentChanges(place: string, old: Content, now: Content, flow: Flow, isError = false): readonly Finding[] {
  if (old === null && now === null) return []
  if (old === null || now === null)
    return [finding(place, changeOf(old, now), old, now, isError ? judgeErrorPresence : judgePresence(flow))]
  if (old.streams !== now.streams) return [finding(place, 'changed', old, now, judgeStreams)]
  const judgeTypes = flow === 'request' ? judgeRequestTypes : judgeAnswerTypes
  const types = isSame(essencesOf(old), essencesOf(now)) ? [] : [finding(`${place} types`, 'changed', old, now, judgeTypes)]
  return [...types, ...formChanges(place, old, now, flow)]
}
