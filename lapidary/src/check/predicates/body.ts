/** What stands in the body of an answer. */
import { flawsOf } from '../../describe/conform.ts'
import { decoders, isUtf8, type Refuse } from '../../describe/decode.ts'
import { essenceOf, mediaType } from '../../describe/mediaType.ts'
import type { MediumDefinition } from '../../describe/medium.ts'
import { Refusal } from '../../describe/refusal.ts'
import type { AnyReply } from '../../describe/reply.ts'
import { jsonSchemaOf } from '../../describe/schema.ts'
import { isBodiless } from '../../describe/status.ts'
import { utf8Decoded } from '../../describe/utf8.ts'
import type { Answered } from '../exchange.ts'
import type { Complaint, Invariant, Observed } from '../predicate.ts'

const inOurWords: Refuse = (issues, schema, value) => flawsOf(issues, jsonSchemaOf(schema), value)

const told = ({ flaws: [flaw] }: Refusal): string =>
  `the body is not as declared: ${flaw?.pointer ? `at "${flaw.pointer}" ` : ''}${flaw?.detail ?? 'it cannot be read'}`

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** What is wrong with a body that is a stream of values. */
async function streamComplaint(
  reply: AnyReply,
  read: NonNullable<MediumDefinition<unknown>['streamReader']>,
  { body: bytes, isLeft }: Pick<Answered, 'body' | 'isLeft'>,
): Promise<Complaint> {
  const { content } = reply
  const schema = content?.schema
  let count = 0
  let last: Complaint
  try {
    for await (const value of read(schema === undefined ? undefined : jsonSchemaOf(schema))(once(bytes))) {
      const verdict = value instanceof Refusal || schema === undefined ? undefined : await schema['~standard'].validate(value)
      const refusal = value instanceof Refusal ? value : verdict?.issues && schema && inOurWords(verdict.issues, schema, value)
      // Where the rest was left there, the item at the end may be half of one: what is wrong with it is only said when another follows.
      if (last !== undefined) return last
      if (refusal) last = `item ${count}: ${told(refusal)}`
      count += 1
    }
  } catch (error) {
    if (isLeft) return undefined
    return `the stream breaks off within item ${count}: ${error instanceof Error ? error.message : String(error)}`
  }
  return isLeft ? undefined : last
}

/** What is wrong with the body of an answer that this reply describes. */
export async function bodyComplaint(
  reply: AnyReply,
  { header, body, isLeft }: Pick<Answered, 'header' | 'body' | 'isLeft'>,
): Promise<Complaint> {
  const { content } = reply
  if (content === undefined) return body.length === 0 ? undefined : `expected no body, got ${body.length} bytes`
  const sent = header('content-type')
  const type = mediaType(sent ?? '')
  const types = [...new Set(content.media.flatMap((medium) => medium.types.map(essenceOf)))]
  if (type === undefined || !types.includes(type.essence)) return `expected Content-Type to be ${types.join(' or ')}, got ${sent ?? 'none'}`
  if (!isUtf8(type)) return undefined
  const stream = content.media.find(
    ({ types: named, streamReader }) => streamReader !== undefined && named.some((one) => essenceOf(one) === type.essence),
  )
  if (stream?.streamReader !== undefined) return streamComplaint(reply, stream.streamReader, { body, isLeft })
  const value = await decoders(content, inOurWords).get(type.essence)?.(body)
  return value instanceof Refusal ? told(value) : undefined
}

/** The value of a body of this reply; undefined where there is none that can be read. */
export async function valueIn({ content }: AnyReply, { header, body }: Pick<Answered, 'header' | 'body'>): Promise<unknown> {
  const essence = mediaType(header('content-type') ?? '')?.essence ?? ''
  const value = content === undefined ? undefined : await decoders(content, inOurWords).get(essence)?.(body)
  return value instanceof Refusal ? undefined : value
}

/** What is wrong with problem details (RFC 9457). */
export function problemComplaint({ status, header, body }: Pick<Answered, 'status' | 'header' | 'body'>): Complaint {
  const type = header('content-type')
  if (mediaType(type ?? '')?.essence !== 'application/problem+json')
    return `expected problem details (application/problem+json), got ${type ?? 'no type'}`
  let value: unknown
  try {
    value = JSON.parse(utf8Decoded(body) ?? '')
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

const hasNoBody = (method: string, status: number): boolean => method === 'HEAD' || isBodiless(status)

/** The replies that an answer may be, by its status. */
const repliesOf = ({ asked: { method }, answered: { status }, subject: { endpoint } }: Observed): readonly AnyReply[] =>
  method === endpoint.method ? [endpoint.response, ...endpoint.errors].filter((reply) => reply.status === status) : []

const isProblem = ({ header }: Answered): boolean => mediaType(header('content-type') ?? '')?.essence === 'application/problem+json'

export const body: Invariant = {
  name: 'body',
  sentence: 'Every body that is declared has a declared media type, and the form that its schema asks for.',
  each: async (observed) => {
    const { asked, answered } = observed
    const replies = repliesOf(observed)
    if (hasNoBody(asked.method, answered.status) || replies.length === 0) return undefined
    // An error without a body of its own is told in problem details; and so may any be that is refused before its handler.
    if (answered.status >= 400 && (isProblem(answered) || replies.every(({ content }) => content === undefined))) return undefined
    const complaints = await Promise.all(replies.map((reply) => bodyComplaint(reply, answered)))
    return complaints.includes(undefined) ? undefined : complaints[0]
  },
}

export const problem: Invariant = {
  name: 'problem',
  sentence: 'What is refused without a body of its own is told in problem details (RFC 9457), well-formed and of the same status.',
  each: (observed) => {
    const { asked, answered } = observed
    if (answered.status < 400 || asked.method === 'OPTIONS' || hasNoBody(asked.method, answered.status)) return undefined
    const isDeclared = repliesOf(observed).some(({ content }) => content !== undefined)
    return isDeclared && !isProblem(answered) ? undefined : problemComplaint(answered)
  },
}

/** Frames of a stack, as the engines of servers write them; and files where programs stand. */
const trace = /\n\s*at .+:\d+|Traceback \(most recent call last\)|\.(?:js|ts|py|java|rb|go|php):\d+|\/(?:home|usr|var|root|app)\/[\w./-]+/

export const noTrace: Invariant = {
  name: 'no-trace',
  sentence: 'No refusal shows a stack or the path of a file.',
  each: ({ answered: { status, body: bytes } }) => {
    const found = status < 400 ? null : trace.exec(utf8Decoded(bytes) ?? '')
    return found === null ? undefined : `the body shows ${JSON.stringify(found[0].trim().slice(0, 60))}`
  },
}
