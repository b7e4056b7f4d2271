/** What stands in the body of an answer. */

import { type AnyReply, isParseError, type JsonSchema, type MediaTypeDefinition, type ParseError } from 'lapidary'
import {
  createBodyDecoders,
  decodeUtf8,
  encodePointerStep,
  getEssence,
  getJsonSchema,
  getMembers,
  isJsonObject,
  isNullBodyStatus,
  isUtf8Charset,
  parseMediaType,
  resolveSchema,
  type ToParseError,
  toParseError,
} from 'lapidary/internal'
import type { WireResponse } from '../exchange.ts'
import type { Invariant, ObservedExchange, Violation } from '../rule.ts'

const describeIssues: ToParseError = (issues, schema, value) => toParseError(issues, getJsonSchema(schema), value)

const formatParseError = ({ issues: [flaw] }: ParseError): string =>
  `the body is not as declared: ${flaw?.pointer ? `at "${flaw.pointer}" ` : ''}${flaw?.detail ?? 'it cannot be read'}`

async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** What is wrong with a body that is a stream of values. */
async function checkStreamBody(
  reply: AnyReply,
  read: NonNullable<MediaTypeDefinition<unknown>['streamReader']>,
  { body: bytes, isAbandoned: isLeft }: Pick<WireResponse, 'body' | 'isAbandoned'>,
): Promise<Violation> {
  const { content } = reply
  const schema = content?.schema
  let count = 0
  let last: Violation
  try {
    for await (const value of read(schema === undefined ? undefined : getJsonSchema(schema))(yieldOnce(bytes))) {
      const verdict = isParseError(value) || schema === undefined ? undefined : await schema['~standard'].validate(value)
      const refusal = isParseError(value) ? value : verdict?.issues && schema && describeIssues(verdict.issues, schema, value)
      // Where the rest was left there, the item at the end may be half of one: what is wrong with it is only said when another follows.
      if (last !== undefined) return last
      if (refusal) last = `item ${count}: ${formatParseError(refusal)}`
      count += 1
    }
  } catch (error) {
    if (isLeft) return undefined
    return `the stream breaks off within item ${count}: ${error instanceof Error ? error.message : String(error)}`
  }
  return isLeft ? undefined : last
}

/** What is wrong with the body of an answer that this reply describes. */
export async function checkResponseBody(
  reply: AnyReply,
  { header, body, isAbandoned: isLeft }: Pick<WireResponse, 'header' | 'body' | 'isAbandoned'>,
): Promise<Violation> {
  const { content } = reply
  if (content === undefined) return body.length === 0 ? undefined : `expected no body, got ${body.length} bytes`
  const sent = header('content-type')
  const type = parseMediaType(sent ?? '')
  const types = [...new Set(content.media.flatMap((medium) => medium.types.map(getEssence)))]
  if (type === undefined || !types.includes(type.essence)) return `expected Content-Type to be ${types.join(' or ')}, got ${sent ?? 'none'}`
  if (!isUtf8Charset(type)) return undefined
  const stream = content.media.find(
    ({ types: named, streamReader }) => streamReader !== undefined && named.some((one) => getEssence(one) === type.essence),
  )
  if (stream?.streamReader !== undefined) return checkStreamBody(reply, stream.streamReader, { body, isAbandoned: isLeft })
  const value = await createBodyDecoders(content, describeIssues).get(type.essence)?.(body)
  return isParseError(value) ? formatParseError(value) : undefined
}

/** The value of a body of this reply; undefined where there is none that can be read. */
export async function readResponseValue({ content }: AnyReply, { header, body }: Pick<WireResponse, 'header' | 'body'>): Promise<unknown> {
  const essence = parseMediaType(header('content-type') ?? '')?.essence ?? ''
  const value = content === undefined ? undefined : await createBodyDecoders(content, describeIssues).get(essence)?.(body)
  return isParseError(value) ? undefined : value
}

/** What is wrong with problem details (RFC 9457). */
export function checkProblemDetails({ status, header, body }: Pick<WireResponse, 'status' | 'header' | 'body'>): Violation {
  const type = header('content-type')
  if (parseMediaType(type ?? '')?.essence !== 'application/problem+json')
    return `expected problem details (application/problem+json), got ${type ?? 'no type'}`
  let value: unknown
  try {
    value = JSON.parse(decodeUtf8(body) ?? '')
  } catch {
    return 'expected problem details, got what is no JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'expected problem details to be an object'
  const { type: kind, title, status: said, detail, instance } = value as Readonly<Record<string, unknown>>
  if (said !== undefined && said !== status) return `problem details say ${JSON.stringify(said)}, the status is ${status}`
  for (const [name, text] of Object.entries({ type: kind, title, detail, instance })) {
    if (text !== undefined && typeof text !== 'string') return `expected "${name}" of problem details to be a text`
  }
  return undefined
}

const hasNoBody = (method: string, status: number): boolean => method === 'HEAD' || isNullBodyStatus(status)

/** The replies that an answer may be, by its status. */
const findReplies = ({ request: { method }, response: { status }, subject: { endpoint } }: ObservedExchange): readonly AnyReply[] =>
  method === endpoint.method ? [endpoint.response, ...endpoint.errors].filter((reply) => reply.status === status) : []

const isProblemResponse = ({ header }: WireResponse): boolean =>
  parseMediaType(header('content-type') ?? '')?.essence === 'application/problem+json'

export const bodyRule: Invariant = {
  name: 'body',
  description: 'Every body that is declared has a declared media type, and the form that its schema asks for.',
  check: async (observed) => {
    const { request: asked, response: answered } = observed
    const replies = findReplies(observed)
    if (hasNoBody(asked.method, answered.status) || replies.length === 0) return undefined
    // An error without a body of its own is told in problem details; and so may any be that is refused before its handler.
    if (answered.status >= 400 && (isProblemResponse(answered) || replies.every(({ content }) => content === undefined))) return undefined
    const complaints = await Promise.all(replies.map((reply) => checkResponseBody(reply, answered)))
    return complaints.includes(undefined) ? undefined : complaints[0]
  },
}

export const problemRule: Invariant = {
  name: 'problem',
  description: 'What is refused without a body of its own is told in problem details (RFC 9457), well-formed and of the same status.',
  check: (observed) => {
    const { request: asked, response: answered } = observed
    if (answered.status < 400 || asked.method === 'OPTIONS' || hasNoBody(asked.method, answered.status)) return undefined
    const isDeclared = findReplies(observed).some(({ content }) => content !== undefined)
    return isDeclared && !isProblemResponse(answered) ? undefined : checkProblemDetails(answered)
  },
}

/** Frames of a stack, as the engines of servers write them; and files where programs stand. */
const stackTracePattern =
  /\n\s*at .+:\d+|Traceback \(most recent call last\)|\.(?:js|ts|py|java|rb|go|php):\d+|\/(?:home|usr|var|root|app)\/[\w./-]+/

export const noTraceRule: Invariant = {
  name: 'no-trace',
  description: 'No refusal shows a stack or the path of a file.',
  check: ({ response: { status, body: bytes } }) => {
    const found = status < 400 ? null : stackTracePattern.exec(decodeUtf8(bytes) ?? '')
    return found === null ? undefined : `the body shows ${JSON.stringify(found[0].trim().slice(0, 60))}`
  },
}

// That nothing leaves a server that nobody declared.

/** The first member that the schema does not name, as a JSON Pointer; undefined where there is none, or its form is one of several. */
function findUndeclaredMember(schema: JsonSchema, value: unknown, root: JsonSchema, pointer = ''): string | undefined {
  const here = resolveSchema(schema, root)
  if (here.anyOf !== undefined || here.oneOf !== undefined || here.allOf !== undefined) return undefined
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const form = here.prefixItems?.[index] ?? here.items
      const found = typeof form === 'object' ? findUndeclaredMember(form, item, root, `${pointer}/${index}`) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isJsonObject(value) || here.properties === undefined) return undefined
  const { properties, rest } = getMembers(here)
  for (const [name, member] of Object.entries(value)) {
    const at = pointer + encodePointerStep(name)
    const form = Object.hasOwn(properties, name) ? properties[name] : rest
    if (form === undefined || form === false) return at
    const found = typeof form === 'object' ? findUndeclaredMember(form, member, root, at) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The values of a body that is JSON: one, or one a line. */
function parseJsonBodies(type: string | undefined, bytes: Uint8Array): readonly unknown[] {
  const essence = parseMediaType(type ?? '')?.essence ?? ''
  const text = decodeUtf8(bytes) ?? ''
  try {
    if (essence === 'application/x-ndjson')
      return text
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line))
    return essence === 'application/json' ? [JSON.parse(text)] : []
  } catch {
    // That it is no JSON is for others to say.
    return []
  }
}

export const membersRule: Invariant = {
  name: 'members',
  description: 'No body has a member that is not declared: what nobody meant to show does not leave.',
  check: ({ request: { method }, response: { status, header, body }, subject: { endpoint } }) => {
    if (method !== endpoint.method) return undefined
    const reply = [endpoint.response, ...endpoint.errors].find((one) => one.status === status)
    const schema = reply?.content?.schema
    if (schema === undefined) return undefined
    const form = getJsonSchema(schema)
    for (const value of parseJsonBodies(header('content-type'), body)) {
      const found = findUndeclaredMember(form, value, form)
      if (found !== undefined) return `the body has a member that is not declared, at "${found}"`
    }
    return undefined
  },
}
