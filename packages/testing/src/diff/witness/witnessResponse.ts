/** Responses of witnesses: as the description of the server allows them, with the one part that the client does not expect. */
import { getStatusKey } from 'lapidary/internal'
import type { Evidence } from '../change.ts'
import type { ContentManifest, EndpointManifest, ReplyManifest } from '../manifest.ts'
import type { NamedText, WitnessResponse } from './witness.ts'
import { findBody, findTexts, toTexts, type WrittenBody, writeWitnessBody } from './witnessText.ts'
import { findBreakingValue } from './witnessValues.ts'

/** The reply that a place is in: `response 200 body /name`, `error 404`; else the first one. */
function findReply(place: string, { responses, errors }: EndpointManifest): ReplyManifest | undefined {
  const [, kind, status, problem] = /^(response|error) (\d+|\dXX|default)(?: ((?!header |cookie |body)\S+))?/.exec(place) ?? []
  if (kind === undefined) return responses[0]
  const replies = kind === 'error' ? errors : responses
  const ofStatus = replies.filter((reply) => getStatusKey(reply) === status)
  return ofStatus.find((reply) => reply.problem === problem) ?? ofStatus[0]
}

function findResponseBody(
  pointer: string | undefined,
  content: ContentManifest,
  reader: ContentManifest | null | undefined,
  { counterexample }: Evidence,
): WrittenBody | undefined {
  if (pointer === undefined || reader === null || reader === undefined) return findBody(content, reader)
  const found = findBreakingValue(content.schema ?? {}, reader.schema ?? {}, pointer, counterexample)
  return found && writeWitnessBody(content, reader, found)
}

/** The header lines of a reply, with the unexpected value of one; undefined where a header has no value. */
function findHeaderLines(
  { headers }: ReplyManifest,
  reader: ReplyManifest | undefined,
  changed: string | undefined,
  { counterexample }: Evidence,
): readonly NamedText[] | undefined {
  const lines: NamedText[] = []
  for (const [name, parameter] of Object.entries(headers)) {
    const isChanged = changed !== undefined && name.toLowerCase() === changed.toLowerCase()
    // One that may be absent is absent.
    if (!parameter.required && !(isChanged && counterexample !== undefined)) continue
    const other = Object.entries(reader?.headers ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
    const texts = isChanged && counterexample !== undefined ? toTexts(counterexample.value) : findTexts(parameter, other)
    if (texts === undefined) return undefined
    lines.push(...texts.map((text): NamedText => [name, text]))
  }
  return lines
}

/** Creates the response of a witness; undefined where none is found. */
export function createWitnessResponse(
  place: string,
  caller: EndpointManifest,
  server: EndpointManifest,
  evidence: Evidence,
): WitnessResponse | undefined {
  const reply = findReply(place, server)
  if (reply === undefined) return undefined
  const expected = findReply(place, caller)
  const [, changedHeader] = / header (.+)$/s.exec(place) ?? []
  const isBody = / body(?: |$)/.test(place) && !/ body (?:types|download|schema)$/.test(place)
  const pointer = isBody ? place.replace(/^.*? body ?/s, '').replace(/ ?further members$/, '') : undefined
  const headers = findHeaderLines(reply, expected, changedHeader, evidence)
  const body = reply.body === null ? undefined : findResponseBody(pointer, reply.body, expected?.body, evidence)
  if (headers === undefined || (reply.body !== null && body === undefined)) return undefined
  const always = Object.entries(server.always)
  return {
    status: reply.status,
    headers: [...always, ...headers, ...(body === undefined ? [] : [['Content-Type', body.type] as const])],
    ...(body !== undefined && { body: body.body }),
  }
}
