/** An answer that is no success, as the error that a call throws. */
import { createBodyDecoders, isUtf8Charset } from '../describe/decode.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { getErrorClass, type HttpError } from '../describe/error.ts'
import { type ParsedMediaType, parseMediaType } from '../describe/mediaType.ts'
import { createProblem, type Problem, type ProblemError } from '../describe/problem.ts'
import { ParseError } from '../describe/refusal.ts'
import type { AnyReply } from '../describe/reply.ts'
import { decodeUtf8 } from '../describe/utf8.ts'
import type { ReceivedResponse } from './answered.ts'
import { toBodyParseError } from './flaw.ts'
import { markDeclared } from './raised.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isText = (value: unknown): boolean => typeof value === 'string'

function isProblemError(value: unknown): value is ProblemError {
  if (!isRecord(value)) return false
  const { in: place, detail, name = '', pointer = '' } = value
  return [place, detail, name, pointer].every(isText)
}

/** Problem details (RFC 9457). A member of another type than the RFC gives it is left out (§3.1); members of one's own are kept. */
function parseProblem(status: number, value: unknown): Problem | undefined {
  if (!isRecord(value)) return undefined
  const { type, title, detail, instance, requestId, errors, ...others } = value
  const texts = Object.entries({ type, title, detail, instance, requestId }).filter(([, member]) => isText(member))
  return {
    ...others,
    ...createProblem(status, {
      ...Object.fromEntries(texts),
      ...(Array.isArray(errors) ? { errors: errors.filter(isProblemError) } : {}),
    }),
  }
}

/** A body that nobody declared: a JSON value, text or bytes, as its type says; undefined where there is none. */
function readUndeclaredBody(type: ParsedMediaType | undefined, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = type && isUtf8Charset(type) ? decodeUtf8(bytes) : undefined
  if (text === undefined) return bytes
  try {
    return /[/+]json$/.test(type?.essence ?? '') ? JSON.parse(text) : text
  } catch {
    return text
  }
}

/** The value of a declared body, or a `ParseError` where the answer has not its form. */
function readDeclaredBody({ content }: AnyReply, type: ParsedMediaType | undefined, bytes: Uint8Array, hasProblem: boolean): unknown {
  const none = new ParseError([])
  if (content === undefined) return hasProblem || bytes.length === 0 ? undefined : none
  const decode = type && isUtf8Charset(type) ? createBodyDecoders(content, toBodyParseError).get(type.essence) : undefined
  return decode === undefined ? none : decode(bytes)
}

/** The error that an answer stands for. It is a declared one (see `raised`) only where status and body both have the declared form. */
export async function createErrorFromResponse(
  endpoint: AnyEndpoint,
  { response, url }: ReceivedResponse,
  bytes: Uint8Array,
): Promise<HttpError> {
  const { status, statusText, headers } = response
  const type = parseMediaType(headers.get('content-type') ?? '')
  const value = readUndeclaredBody(type, bytes)
  const told = type?.essence === 'application/problem+json' ? parseProblem(status, value) : undefined
  const cookies = headers.getSetCookie()
  const error = (body: unknown): HttpError =>
    new (getErrorClass(status))({
      body,
      headers: { ...Object.fromEntries(headers), ...(cookies[1] && { 'set-cookie': cookies }) },
      received: { route: endpoint.route, url, problem: told },
      reason: statusText || undefined,
      detail: told?.detail,
      errors: told?.errors,
    })
  for (const reply of endpoint.errors.filter((one) => one.status === status)) {
    const body = await readDeclaredBody(reply, type, bytes, told !== undefined)
    if (!(body instanceof ParseError)) return markDeclared(error(body), reply)
  }
  return error(told === undefined ? value : undefined)
}
