/** Rules about the bodies of responses. */
import { type AnyReply, isParseError, type MediaTypeDefinition, type ParseError, type Schema } from 'lapidary'
import {
  createBodyDecoders,
  decodeUtf8,
  encodePointerStep,
  findReplies,
  getByMediaType,
  getEssence,
  getJsonSchema,
  isInMediaRange,
  isJsonObject,
  isNullBodyStatus,
  isUtf8Charset,
  neverSchema,
  parseMediaType,
  parseSchema,
  type SchemaNode,
  toParseError,
} from 'lapidary/internal'
import type { WireResponse } from '../exchange.ts'
import { type Invariant, listReplies, type ObservedExchange, type Violation } from '../rule.ts'

const formatParseError = ({ issues: [issue] }: ParseError): string =>
  `the body is not as declared: ${issue?.pointer ? `at "${issue.pointer}" ` : ''}${issue?.detail ?? 'it cannot be read'}`

type AnyMedia = NonNullable<AnyReply['content']>['media']

async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Checks a body that is a stream of values. */
async function checkStreamBody(
  { content }: AnyReply,
  streamReader: NonNullable<MediaTypeDefinition<unknown>['streamReader']>,
  { body, isAbandoned }: Pick<WireResponse, 'body' | 'isAbandoned'>,
): Promise<Violation> {
  const schema = content?.schema
  const readStream = streamReader(schema === undefined ? undefined : getJsonSchema(schema))
  let count = 0
  let violation: Violation
  try {
    for await (const value of readStream(yieldOnce(body))) {
      const result = isParseError(value) || schema === undefined ? undefined : await schema['~standard'].validate(value)
      const error = isParseError(value) ? value : result?.issues && schema && toParseError(result.issues, schema, value)
      // The last item of an abandoned stream may be incomplete: its violation only counts if another item follows.
      if (violation !== undefined) return violation
      if (error) violation = `item ${count}: ${formatParseError(error)}`
      count += 1
    }
  } catch (error) {
    if (isAbandoned) return undefined
    return `the stream ends within item ${count}: ${error instanceof Error ? error.message : String(error)}`
  }
  return isAbandoned ? undefined : violation
}

/** Checks the body of a response against the reply that declares it. */
async function checkResponseBody(reply: AnyReply, { header, body, isAbandoned }: WireResponse): Promise<Violation> {
  const { content } = reply
  if (content === undefined) return body.length === 0 ? undefined : `expected no body, got ${body.length} bytes`
  const type = header('content-type')
  const mediaType = parseMediaType(type ?? '')
  const essences = [...new Set(content.media.flatMap(({ types }) => types.map(getEssence)))]
  if (mediaType === undefined || !essences.some((range) => isInMediaRange(mediaType.essence, range)))
    return `expected Content-Type to be ${essences.join(' or ')}, got ${type ?? 'none'}`
  if (!isUtf8Charset(mediaType)) return undefined
  const stream = content.media.find(
    ({ types, streamReader }) => streamReader !== undefined && types.some((other) => getEssence(other) === mediaType.essence),
  )
  if (stream?.streamReader !== undefined) return checkStreamBody(reply, stream.streamReader, { body, isAbandoned })
  const value = await getByMediaType(createBodyDecoders(content, toParseError), mediaType.essence)?.(body)
  return isParseError(value) ? formatParseError(value) : undefined
}

/** A schema that parses nothing, with the JSON Schema of another one. */
const withoutParsing = (schema: Schema): Schema => ({
  '~standard': {
    version: 1,
    vendor: 'lapidary',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({ ...getJsonSchema(schema) }) },
  },
})

/** Reads the value of a response as it was sent, which the schema of its reply has not parsed; `undefined` if it cannot be read. */
export const readSentValue = ({ content, ...reply }: AnyReply, response: WireResponse): Promise<unknown> =>
  readResponseValue({ ...reply, content: content?.schema && { ...content, schema: withoutParsing(content.schema) } }, response)

/** Reads the value of a response that a reply declares; `undefined` if it cannot be read. */
export async function readResponseValue({ content }: AnyReply, { header, body }: WireResponse): Promise<unknown> {
  const essence = parseMediaType(header('content-type') ?? '')?.essence ?? ''
  const value = content === undefined ? undefined : await getByMediaType(createBodyDecoders(content, toParseError), essence)?.(body)
  return isParseError(value) ? undefined : value
}

const isProblemResponse = ({ header }: WireResponse): boolean =>
  parseMediaType(header('content-type') ?? '')?.essence === 'application/problem+json'

/** Checks problem details (RFC 9457). */
function checkProblemDetails(response: WireResponse): Violation {
  const { status, header, body } = response
  if (!isProblemResponse(response))
    return `expected problem details (application/problem+json), got ${header('content-type') ?? 'no Content-Type'}`
  let value: unknown
  try {
    value = JSON.parse(decodeUtf8(body) ?? '')
  } catch {
    return 'expected problem details, got a body that is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'expected problem details to be an object'
  const problem = value as Readonly<Record<string, unknown>>
  if (problem['status'] !== undefined && problem['status'] !== status)
    return `the problem details have status ${JSON.stringify(problem['status'])}, the response has ${status}`
  const wrongType = ['type', 'title', 'detail', 'instance'].find((name) => problem[name] !== undefined && typeof problem[name] !== 'string')
  return wrongType === undefined ? undefined : `expected "${wrongType}" of the problem details to be a string`
}

/** Finds the declared problem whose type the problem details of a response have. */
function findProblemReply(replies: readonly AnyReply[], response: WireResponse): AnyReply | undefined {
  if (!isProblemResponse(response)) return undefined
  try {
    const type: unknown = Object(JSON.parse(decodeUtf8(response.body) ?? '')).type
    return replies.find(({ problem }) => problem !== undefined && problem.type === type)
  } catch {
    return undefined
  }
}

const isBodiless = (method: string, status: number): boolean => method === 'HEAD' || isNullBodyStatus(status)

/** Finds the declared replies with the status of a response. */
const findDeclaredReplies = ({
  request: { method },
  response: { status },
  subject: { endpoint },
}: ObservedExchange): readonly AnyReply[] => (method === endpoint.method ? findReplies(listReplies(endpoint), status) : [])

export const bodyRule: Invariant = {
  name: 'body',
  judges: 'reply',
  description: 'A declared body has a declared media type and matches its schema.',
  check: async (exchange) => {
    const { request, response } = exchange
    const replies = findDeclaredReplies(exchange)
    if (isBodiless(request.method, response.status) || replies.length === 0) return undefined
    const problem = findProblemReply(replies, response)
    if (problem !== undefined) return checkResponseBody(problem, response)
    // An error without a declared body has problem details, and so may every error that is sent before the handler runs.
    if (response.status >= 400 && (isProblemResponse(response) || replies.every(({ content }) => content === undefined))) return undefined
    const violations = await Promise.all(replies.map((reply) => checkResponseBody(reply, response)))
    return violations.includes(undefined) ? undefined : violations[0]
  },
}

export const problemRule: Invariant = {
  name: 'problem',
  judges: 'reply',
  description: 'An error without a declared body has valid problem details (RFC 9457) with the status of the response.',
  check: (exchange) => {
    const { request, response } = exchange
    if (response.status < 400 || request.method === 'OPTIONS' || isBodiless(request.method, response.status)) return undefined
    const isDeclared = findDeclaredReplies(exchange).some(({ content }) => content !== undefined)
    return isDeclared && !isProblemResponse(response) ? undefined : checkProblemDetails(response)
  },
}

/** Frames of stack traces, and paths of program files. */
const stackTracePattern =
  /\n\s*at .+:\d+|Traceback \(most recent call last\)|\.(?:js|ts|py|java|rb|go|php):\d+|\/(?:home|usr|var|root|app)\/[\w./-]+/

/** The number of characters that are shown before what leaks, and after it. */
const shownBefore = 80
const shownAfter = 200

/** Cuts the line out of a text that leaks something, and of a long one the part around it. A stack trace in JSON is one line. */
function cutLeak(text: string, index: number, leak: string): string {
  const start = index + leak.search(/\S/)
  const end = index + leak.length
  const before = text.slice(0, start).split('\n').at(-1) ?? ''
  const after = text.slice(end).split('\n', 1)[0] ?? ''
  const from = before.length > shownBefore ? `…${before.slice(-shownBefore)}` : before
  const to = after.length > shownAfter ? `${after.slice(0, shownAfter)}…` : after
  return `${from}${text.slice(start, end)}${to}`.trim()
}

export const noStackTraceRule: Invariant = {
  name: 'no-stack-trace',
  description: 'No error shows a stack trace or the path of a file.',
  check: ({ response: { status, body } }) => {
    const text = status < 400 ? '' : (decodeUtf8(body) ?? '')
    const match = stackTracePattern.exec(text)
    return match === null ? undefined : `the body shows ${JSON.stringify(cutLeak(text, match.index, match[0]))}`
  },
}

/** Finds the first undeclared member, as a JSON Pointer. A schema with alternatives is not searched. */
function findUndeclaredMember(node: SchemaNode, value: unknown, pointer = ''): string | undefined {
  const { schema, parts } = node
  if (parts.branches !== undefined || schema.allOf !== undefined) return undefined
  if (!Array.isArray(value) && (!isJsonObject(value) || schema.properties === undefined)) return undefined
  for (const [key, part] of Object.entries(value)) {
    const partPointer = pointer + encodePointerStep(key)
    const partNode = Array.isArray(value) ? node.item(Number(key)) : node.member(key)
    if (!Array.isArray(value) && (partNode === undefined || partNode.schema === neverSchema)) return partPointer
    const found = partNode && findUndeclaredMember(partNode, part, partPointer)
    if (found !== undefined) return found
  }
  return undefined
}

/** Parses a JSON body to one value, and NDJSON to one value for each line. Other rules report invalid JSON. */
function parseJsonBody({ header, body }: WireResponse): readonly unknown[] {
  const essence = parseMediaType(header('content-type') ?? '')?.essence ?? ''
  const text = decodeUtf8(body) ?? ''
  const lines =
    essence === 'application/x-ndjson'
      ? text.split('\n').filter(Boolean)
      : essence === 'application/json' || essence === 'application/problem+json'
        ? [text]
        : []
  try {
    return lines.map((line): unknown => JSON.parse(line))
  } catch {
    return []
  }
}

/** Finds the first undeclared member in the data of the events of a body. Other rules report what cannot be read. */
async function findUndeclaredEventMember(node: SchemaNode, { header, body }: WireResponse, media: AnyMedia): Promise<string | undefined> {
  const essence = parseMediaType(header('content-type') ?? '')?.essence
  const read = media.find(({ types }) => essence === 'text/event-stream' && types.includes(essence))?.streamReader
  if (read === undefined) return undefined
  try {
    for await (const value of read(undefined)(yieldOnce(body))) {
      if (isParseError(value)) return undefined
      const { event, data } = value as { readonly event?: string; readonly data: unknown }
      const branch = node.parts.branches?.find((one) => one.member('event')?.schema.const === event) ?? node
      const dataNode = branch.member('data')
      const pointer = dataNode && findUndeclaredMember(dataNode, data, '/data')
      if (pointer !== undefined) return pointer
    }
  } catch {
    // The stream is cut off.
  }
  return undefined
}

export const undeclaredMembersRule: Invariant = {
  name: 'undeclared-members',
  judges: 'reply',
  description: 'No body has a member that is not declared, so that no internal data leaves the server.',
  check: async ({ request: { method }, response, subject: { endpoint } }) => {
    if (method !== endpoint.method) return undefined
    const replies = findReplies([...endpoint.responses, ...endpoint.errors], response.status)
    const reply = findProblemReply(replies, response) ?? replies[0]
    const { schema, media = [] } = reply?.content ?? {}
    // Problem details of no declared type may come from a step before the handler.
    if (schema === undefined || (isProblemResponse(response) && reply?.problem === undefined)) return undefined
    const node = parseSchema(getJsonSchema(schema))
    const member = await findUndeclaredEventMember(node, response, media)
    if (member !== undefined) return `an event has an undeclared member at "${member}"`
    for (const value of parseJsonBody(response)) {
      const pointer = findUndeclaredMember(node, value)
      if (pointer !== undefined) return `the body has an undeclared member at "${pointer}"`
    }
    return undefined
  },
}
