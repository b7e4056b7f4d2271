/** Rules about requests that break the description, each at one place. */
import type { AnyParameter } from 'lapidary'
import {
  encodeMultipart,
  encodeUtf8,
  getEssence,
  getEssences,
  getFileLimits,
  getJsonSchema,
  getRestName,
  getTypes,
  isJsonEssence,
  isValid,
  listFormEntries,
  parseByteSize,
  parseSchema,
} from 'lapidary/internal'
import { type AnyMediaType, acceptsValue, type Call, type CallBody } from '../../generate/calls.ts'
import { listInvalidValues } from '../../generate/invalidValues.ts'
import { listInvalidTexts, type ParameterPlace, type ParameterTexts } from '../../generate/parameterTexts.ts'
import { type WireRequest, withHeaderLines } from '../exchange.ts'
import { canReachHandler, isSafeEndpoint, type Probe, type ProbeContext, type ProbeTarget } from '../rule.ts'

export const unknownMediaType = 'application/x-no-such-type'

/**
 * Sends an invalid request, and expects one of these statuses. A 5xx that the call without the fault gets as well is not reported.
 *
 * @param fault what is wrong with the request
 * @param valid the call without the fault
 * @returns whether the server refuses it so
 */
export async function expectError(
  { send, report, lenient }: ProbeContext,
  request: WireRequest,
  statuses: readonly number[],
  fault: string,
  valid: Call,
): Promise<boolean> {
  const { status } = await send(request, 'invalid', undefined, fault, valid)
  const isRefused = statuses.includes(status) || (lenient && status >= 400 && status < 500)
  if (!isRefused) report(`expected ${statuses.join(' or ')}, got ${status}`, fault)
  return isRefused
}

/** Returns a request with a further query parameter that is not percent-encoded UTF-8. */
export const withInvalidQuery = (request: WireRequest, text: string): WireRequest => ({
  ...request,
  target: `${request.target}${request.target.includes('?') ? '&' : '?'}${text}`,
})

const quoteTexts = (texts: ParameterTexts): string =>
  texts.length === 0 ? 'left out' : texts.map((text) => JSON.stringify(text)).join(', ')

/** Whether parsers of other languages read texts as the parameter declares it: ` 1` and `+1` as 1, the last of two values, none as absent. */
function isReadElsewhere({ jsonSchema, repeats, required }: AnyParameter, texts: ParameterTexts): boolean {
  const [text = ''] = texts
  if (texts.length > 1) return !repeats
  if (text === '') return !required
  const types = getTypes(jsonSchema)
  if (types.includes('boolean')) return /^(?:[01]|true|false|on|off|yes|no)$/i.test(text)
  const number = types.includes('integer') || types.includes('number') ? Number(text) : Number.NaN
  return Number.isFinite(number) && (types.includes('number') || Number.isInteger(number)) && isValid(parseSchema(jsonSchema), number)
}

/** Lists texts that a server has to refuse. */
const listRefusedTexts = ({ lenient }: ProbeContext, parameter: AnyParameter, place: ParameterPlace): readonly ParameterTexts[] =>
  listInvalidTexts(parameter, place).filter((texts) => !lenient || !isReadElsewhere(parameter, texts))

export const capturesRule: Probe = {
  name: 'captures',
  description: 'An invalid capture gets 400 or 404.',
  // A fallback would respond to such a path.
  appliesTo: (context) => canReachHandler(context) && !context.fallback && Object.keys(context.subject.endpoint.params).length > 0,
  probe: async (context) => {
    const [call] = context.sampleCalls(1)
    if (call === undefined) return
    const { params, segments } = context.subject.endpoint
    const rest = getRestName(segments)
    for (const [name, codec] of Object.entries(params)) {
      for (const [text = ''] of listRefusedTexts(context, codec, name === rest ? 'rest' : 'capture')) {
        const request = await context.buildRequest({ ...call, captures: { ...call.captures, [name]: text } })
        await expectError(context, request, [400, 404], `:${name} is ${JSON.stringify(text)}`, call)
      }
    }
    if (rest === undefined) return
    // The text of a rest cannot tell an encoded slash from a separator.
    const request = await context.buildRequest(call)
    const target = request.target.replace(/(?=\?|$)/, '%2Fx')
    if (context.isReachedBy(target)) await expectError(context, { ...request, target }, [400, 404], `*${rest} contains %2F`, call)
  },
}

const createParameterRule = (
  name: string,
  noun: string,
  place: Exclude<ParameterPlace, 'capture' | 'rest'>,
  part: 'query' | 'headers' | 'cookies',
): Probe => ({
  name,
  description: `An invalid ${noun} gets 400.`,
  appliesTo: (context) => canReachHandler(context) && Object.keys(context.subject.endpoint[part]).length > 0,
  probe: async (context) => {
    const [call] = context.sampleCalls(1)
    if (call === undefined) return
    for (const [parameterName, parameter] of Object.entries(context.subject.endpoint[part])) {
      for (const texts of listRefusedTexts(context, parameter, place)) {
        const changed: Call = { ...call, [part]: { ...call[part], [parameterName]: texts } }
        await expectError(context, await context.buildRequest(changed), [400], `${parameterName} is ${quoteTexts(texts)}`, call)
      }
    }
  },
})

export const queryRule: Probe = createParameterRule('query', 'query parameter', 'query', 'query')
export const requestHeadersRule: Probe = createParameterRule('request-headers', 'header', 'header', 'headers')
export const cookiesRule: Probe = createParameterRule('cookies', 'cookie', 'cookie', 'cookies')

export const percentEncodingRule: Probe = {
  name: 'percent-encoding',
  description: 'A query that is not percent-encoded UTF-8 gets 400.',
  appliesTo: canReachHandler,
  probe: async (context) => {
    const [call] = context.sampleCalls(1)
    if (call === undefined) return
    const request = await context.buildRequest(call)
    for (const text of ['%', '%zz', '%ff'])
      if (!(await expectError(context, withInvalidQuery(request, `${text}=1`), [400], `the query contains ${text}`, call))) return
  },
}

const isJsonBody = ({ type }: CallBody): boolean => isJsonEssence(getEssence(type))
/** A body of lines, each of which is JSON. None of them is no fault. */
const isLinesBody = ({ type, value }: CallBody): boolean =>
  /^application\/(?:x-ndjson|jsonl)(?:\s*;|$)/.test(type) && Array.isArray(value) && value.length > 0

/** A call that has a body: an optional one is sometimes left out. */
const findCallWithBody = ({ sampleCalls, subject }: ProbeContext): Call | undefined =>
  sampleCalls(subject.endpoint.body?.isOptional ? 20 : 1).find(({ body }) => body !== undefined)

export const optionalBodyRule: Probe = {
  name: 'optional-body',
  description: 'A request without an optional body gets a declared status.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.body?.isOptional === true,
  probe: async ({ sampleCalls, buildRequest, send }) => {
    const [call] = sampleCalls(1)
    if (call !== undefined) await send(await buildRequest({ ...call, body: undefined }), 'valid')
  },
}

export const requestBodyRule: Probe = {
  name: 'request-body',
  description: 'A body that its schema does not accept gets 400, and so does a stream of lines with such a line.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.body !== undefined,
  probe: async (context) => {
    const schema = context.subject.endpoint.body?.schema
    const call = context.sampleCalls(20).find(({ body }) => body !== undefined && (isJsonBody(body) || isLinesBody(body)))
    if (call?.body === undefined) return
    const isLines = isLinesBody(call.body)
    const value: unknown = isLines ? (call.body.value as readonly unknown[])[0] : call.body.value
    const end = isLines ? '\n' : ''
    const request = await context.buildRequest(call)
    const expectBodyError = (body: string | Uint8Array, fault: string): Promise<boolean> =>
      expectError(context, { ...request, body: typeof body === 'string' ? encodeUtf8(body) : body }, [400], fault, call)
    await expectBodyError(`{${end}`, 'the body is not JSON')
    await expectBodyError(Uint8Array.of(0x22, 0xff, 0x22, 0x0a), 'the body is not UTF-8')
    if (!isLines && !context.subject.endpoint.body?.isOptional) await expectBodyError('', 'the body is empty')
    if (schema === undefined) return
    for (const { pointer, fault, value: invalid } of listInvalidValues(getJsonSchema(schema), value)) {
      // A schema may accept more than its JSON Schema: a number as a string.
      if (acceptsValue(schema, invalid)) continue
      await expectBodyError(JSON.stringify(invalid) + end, `the body has a fault at "${pointer}" (${fault})`)
    }
  },
}

/** A larger file is not sent: the request would take long. */
const maxTestedFileSize = 4_194_304

/** More files are not sent. */
const maxTestedFiles = 10

/** Lists forms with one fault: a required part that is left out, a file that is too large or of a wrong type, and too many files. */
function listInvalidForms(parts: FormParts, value: Readonly<Record<string, unknown>>) {
  return Object.entries(parts).flatMap(([name, parameter]) => {
    const others = listFormEntries(Object.fromEntries(Object.entries(parts).filter(([other]) => other !== name)), value)
    const { maxSize, types, maxItems } = getFileLimits(parameter) ?? { types: [] }
    const type = types[0]?.replace('*', 'x') ?? ''
    const withFiles = (...files: readonly Blob[]): Blob => encodeMultipart([...others, ...files.map((file) => [name, file] as const)])
    const files = Array.from({ length: (maxItems ?? 0) + 1 }, () => new Blob(['x'.slice(0, maxSize)], { type }))
    return [
      ...(parameter.required ? [{ fault: `there is no part "${name}"`, status: 400, body: encodeMultipart(others) }] : []),
      ...(maxSize !== undefined && maxSize < maxTestedFileSize
        ? [{ fault: `"${name}" has ${maxSize + 1} bytes`, status: 413, body: withFiles(new Blob([new Uint8Array(maxSize + 1)], { type })) }]
        : []),
      ...(types.length > 0
        ? [{ fault: `"${name}" is of type ${unknownMediaType}`, status: 415, body: withFiles(new Blob(['x'], { type: unknownMediaType })) }]
        : []),
      ...(maxItems !== undefined && maxItems < maxTestedFiles
        ? [{ fault: `"${name}" has ${files.length} files`, status: 400, body: withFiles(...files) }]
        : []),
    ]
  })
}

type FormParts = NonNullable<AnyMediaType['parts']>

export const formRule: Probe = {
  name: 'form',
  description:
    'A form that lacks a part or has too many files gets 400, with a file that is too large 413, and with one of a wrong type 415.',
  appliesTo: (context) =>
    canReachHandler(context) && context.subject.endpoint.body?.media.some(({ parts }) => parts !== undefined) === true,
  probe: async (context) => {
    const call = context.sampleCalls(20).find(({ body }) => body?.mediaType.parts !== undefined)
    const { parts } = call?.body?.mediaType ?? {}
    if (call?.body === undefined || parts === undefined) return
    const request = await context.buildRequest(call)
    for (const { fault, status, body } of listInvalidForms(parts, Object(call.body.value)))
      await expectError(
        context,
        { ...withHeaderLines(request, 'Content-Type', body.type), body: new Uint8Array(await body.arrayBuffer()) },
        [status],
        fault,
        call,
      )
  },
}

export const contentTypeRule: Probe = {
  name: 'content-type',
  description: 'A body without a declared media type gets 415.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.body !== undefined,
  probe: async (context) => {
    const call = findCallWithBody(context)
    const { body } = context.subject.endpoint
    if (call === undefined) return
    const request = await context.buildRequest(call)
    const accepted = body === undefined ? [] : getEssences(body)
    const types = [unknownMediaType, 'no type'].filter((name) => !accepted.includes(name))
    // A server that accepts one of them does not look at the type.
    for (const [values, fault] of [
      ...types.map((type) => [[type], `Content-Type is ${type}`] as const),
      [[], 'there is no Content-Type'] as const,
    ])
      if (!(await expectError(context, withHeaderLines(request, 'Content-Type', ...values), [415], fault, call))) break
    const coded = withHeaderLines(request, 'Content-Encoding', 'x-no-such-coding')
    await expectError(context, coded, [415], 'Content-Encoding is x-no-such-coding', call)
  },
}

/** A larger limit is not tried: the request would take long. */
const maxTestedBodySize = 4_194_304

const getBodyLimit = ({ subject }: ProbeTarget): number => parseByteSize(subject.endpoint.maxBodySize) ?? Number.POSITIVE_INFINITY

export const bodySizeRule: Probe = {
  name: 'body-size',
  description: 'A body that is larger than the declared size gets 413.',
  appliesTo: (context) => canReachHandler(context) && getBodyLimit(context) < maxTestedBodySize,
  probe: async (context) => {
    const call = findCallWithBody(context)
    if (call === undefined) return
    const body = Buffer.alloc(getBodyLimit(context) + 1, ' ')
    await expectError(context, { ...(await context.buildRequest(call)), body }, [413], `the body has ${body.length} bytes`, call)
  },
}

export const acceptRule: Probe = {
  name: 'accept',
  description: 'Each declared media type is sent when Accept asks for it, and any other gets 406.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.response.content !== undefined,
  probe: async (context) => {
    const { send, fail, buildRequest, sampleCalls, subject } = context
    const [call] = sampleCalls(1)
    const { content, status } = subject.endpoint.response
    if (call === undefined || content === undefined) return
    const request = await buildRequest(call)
    await expectError(context, withHeaderLines(request, 'Accept', unknownMediaType), [406], `Accept is ${unknownMediaType}`, call)
    // A file has its type already.
    for (const type of isSafeEndpoint(subject) && subject.endpoint.download === undefined ? getEssences(content) : []) {
      const response = await send(withHeaderLines(request, 'Accept', type), 'valid')
      const sent = response.header('content-type') ?? 'none'
      if (response.status === status && sent.split(';', 1)[0]?.trim().toLowerCase() !== type)
        fail(`Accept is ${type}, Content-Type is ${sent}`)
    }
  },
}
