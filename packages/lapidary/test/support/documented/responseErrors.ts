/** Holds an answer against everything that documentation says an endpoint may answer. */
import { type AnyReply, isParseError } from 'lapidary'
import type { DocumentedResponse, Field } from 'lapidary/docs'
import { isByteStream } from '../../../src/contract/media/bytes.ts'
import { isInMediaRange } from '../../../src/http/mediaTypes.ts'
import { splitEvents } from '../eventFields.ts'
import type { Documented } from './endpoints.ts'
import type { ExchangeResponse } from './exchange.ts'

/** What adapters say of the bytes, and `Vary`, which documentation tells of once. */
const framing = new Set([
  'content-type',
  'x-content-type-options',
  'content-length',
  'transfer-encoding',
  'date',
  'connection',
  'keep-alive',
  'vary',
])

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Whether a value stands as the field says: as its codec reads it or, where it has none, letter for letter. */
function headerFlaws(
  { name, type, required, examples }: Field,
  reply: AnyReply | undefined,
  { headers }: ExchangeResponse,
): readonly string[] {
  const value = headers[name.toLowerCase()]
  if (value === undefined) return required ? [`the header ${name} is missing`] : []
  if (type === 'integer from 1') return /^[1-9]\d*$/.test(value) ? [] : [`the header ${name} is ${value}`]
  if (name === 'RateLimit') return /^"[\w.:-]+";r=\d+;t=\d+(?:, |$)/.test(value) ? [] : [`the header ${name} is ${value}`]
  const codec = reply?.headers[name]
  if (codec === undefined) return examples.includes(value) ? [] : [`the header ${name} is ${value}`]
  const read: unknown = codec.read({ values: codec.repeats ? value.split(',') : [value], isPresent: true })
  return isParseError(read) ? [`the header ${name} is ${value}`] : []
}

async function valueFlaws(schema: NonNullable<AnyReply['content']>['schema'], value: unknown): Promise<readonly string[]> {
  const verdict = await schema?.['~standard'].validate(value)
  return verdict?.issues === undefined ? [] : verdict.issues.map(({ message }) => `the body: ${message}`)
}

/** The body of a declared reply, in the type that it was sent in. */
async function bodyFlaws({ content }: AnyReply, type: string, { body }: ExchangeResponse): Promise<readonly string[]> {
  const medium = content?.media.find(({ types }) => types.some((range) => isInMediaRange(type, range)))
  if (content === undefined || medium === undefined) return [`the Content-Type is ${type}`]
  if (medium.streamReader !== undefined && !isByteStream(medium)) {
    if (type === 'text/event-stream') {
      const events = splitEvents(decoder.decode(body)).map((event) => ({ ...event, data: JSON.parse(event.data ?? '') as unknown }))
      return (await Promise.all(events.map((event) => valueFlaws(content.schema, event)))).flat()
    }
    const lines = decoder.decode(body).split('\n')
    const flaws = await Promise.all(lines.slice(0, -1).map((line) => valueFlaws(content.schema, JSON.parse(line))))
    return [...flaws.flat(), ...(lines.at(-1) === '' ? [] : ['the last line is not ended'])]
  }
  if (/^application\/json\b/.test(type)) return valueFlaws(content.schema, JSON.parse(decoder.decode(body)))
  if (/^text\//.test(type)) decoder.decode(body)
  return []
}

/** Problem details (RFC 9457). */
function problemFlaws(type: string, { status, body }: ExchangeResponse): readonly string[] {
  if (type !== 'application/problem+json') return [`the Content-Type is ${type}`]
  const problem = JSON.parse(decoder.decode(body)) as Record<string, unknown>
  const sound = problem['status'] === status && typeof problem['title'] === 'string' && typeof problem['type'] === 'string'
  return sound ? [] : [`the body is ${JSON.stringify(problem)}`]
}

async function contentFlaws(
  { problem, encodings }: DocumentedResponse,
  reply: AnyReply | undefined,
  received: ExchangeResponse,
): Promise<readonly string[]> {
  const type = received.headers['content-type']
  if (problem) return problemFlaws(type ?? 'none', received)
  if (encodings.length === 0) return received.body.length > 0 || type !== undefined ? ['there is a body'] : []
  if (type === undefined || reply === undefined || !encodings.some(({ types }) => types.some((range) => isInMediaRange(type, range))))
    return [`the Content-Type is ${type}`]
  return bodyFlaws(reply, type, received)
}

/** What is wrong with an answer that has the status of this one. */
async function flawsBeside(
  documented: DocumentedResponse,
  reply: AnyReply | undefined,
  always: readonly Field[],
  received: ExchangeResponse,
  isHead: boolean,
): Promise<readonly string[]> {
  const fields = [...documented.headers, ...always]
  const known = new Set(fields.map(({ name }) => name.toLowerCase()))
  return [
    ...documented.headers.flatMap((field) => headerFlaws(field, reply, received)),
    ...always.flatMap((field) => headerFlaws(field, undefined, received)),
    ...Object.keys(received.headers)
      .filter((name) => !known.has(name) && !framing.has(name))
      .map((name) => `the header ${name} is not documented`),
    ...(isHead ? [] : await contentFlaws(documented, reply, received)),
  ]
}

/**
 * In what an answer differs from all that documentation says of its status; nothing where it is one of those. The documentation says which headers and
 * content types there are; what is in them is held against the endpoint's own codecs and schemas.
 */
export async function flaws({ section, endpoint }: Documented, received: ExchangeResponse, isHead = false): Promise<readonly string[]> {
  const { responses, errors, builtInErrors: refusals, responseHeaders: always } = section
  const documented: readonly (readonly [DocumentedResponse, AnyReply | undefined])[] = [
    ...responses.map((response, index) => [response, endpoint.responses[index]] as const),
    ...errors.map((error, index) => [error, endpoint.errors[index]] as const),
    ...refusals.map((refusal) => [refusal, undefined] as const),
  ]
  const candidates = documented.filter(([{ status }]) => status === received.status)
  const found = await Promise.all(candidates.map(([documented, reply]) => flawsBeside(documented, reply, always, received, isHead)))
  const [least = [`${received.status} is not documented`]] = found.toSorted((one, other) => one.length - other.length)
  return least
}
