/** Responses of witnesses: as the description of the server allows them, with the one part that the client does not expect. */
import { findReplies } from 'lapidary/internal'
import type { Evidence } from '../change.ts'
import type { ContentManifest, EndpointManifest, ReplyManifest } from '../manifest.ts'
import { findErrorStatus } from '../replyChanges.ts'
import type { NamedText, WitnessResponse } from './witness.ts'
import { findBody, findTexts, toTexts, type WrittenBody, writeWitnessBody } from './witnessText.ts'
import { findBreakingValue } from './witnessValues.ts'

/** What a client expects, and what a server sends. */
interface ReplySides {
  readonly expected: ReplyManifest | undefined
  readonly sent: ReplyManifest | undefined
}

/** What both sides have for the status of a place, such as `response 200 body /name` or `error 404`; else for their first success. */
function findReplySides(place: string, caller: EndpointManifest, server: EndpointManifest): ReplySides {
  const [, kind, key = '', problem] = /^(response|error) (\dXX|\d+|default)(?: ((?!header |cookie |body)\S+))?/.exec(place) ?? []
  const list = ({ responses, errors }: EndpointManifest): readonly ReplyManifest[] => (kind === 'error' ? errors : responses)
  const status = kind === undefined ? undefined : findErrorStatus([...list(caller), ...list(server)], key)
  const [expected, sent] = [caller, server].map((side) => {
    const replies = status === undefined ? side.responses : findReplies(list(side), status)
    return replies.find((reply) => reply.problem === problem) ?? replies[0]
  })
  return { expected, sent: sent && { ...sent, status: status ?? sent.status } }
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
  const { expected, sent: reply } = findReplySides(place, caller, server)
  if (reply === undefined) return undefined
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
