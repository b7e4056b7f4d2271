/** The errors that an endpoint declares, compiled: what a handler throws has the declared headers and the declared body. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { removeEtag } from '../contract/etag.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import { type AnyReply, findReplies, getStatusKey } from '../contract/reply.ts'
import { type HttpError, isToolkitError } from '../http/httpError.ts'
import type { ResponseBody } from '../http/httpHandler.ts'
import { getReasonPhrase, isNullBodyStatus } from '../http/status.ts'
import { isSameSchema, neverSchema } from '../json-schema/jsonSchema.ts'
import { isParseError } from '../json-schema/parseError.ts'
import { parseSchema, type SchemaParts } from '../json-schema/schemaNode.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { createHeaderWriter, createReplyWriter, encodeHeader } from './write.ts'

/** The body of an error, and its media type. */
export interface ErrorBody {
  readonly type?: string
  readonly body: ResponseBody
}

/** The declared parts of an error. */
interface DeclaredParts {
  /** Flat: the declared headers, as their codecs write them. */
  readonly headers: readonly string[]
  /** Undefined: problem details, or a status without a body. */
  readonly body: ErrorBody | undefined
}

/** One declared error. */
interface ErrorWriter {
  /** Whether it has a body of its own. */
  readonly hasBody: boolean
  /** The type of its problem details; undefined where it has none of its own. */
  readonly problemType: string | undefined
  /** The names of its headers, in lower case. */
  readonly headerNames: ReadonlySet<string>
  /** @throws TypeError for an error that has not what is declared. */
  readonly write: (error: HttpError) => DeclaredParts
}

/** The declared errors by status, in the order of their declaration. */
export type DeclaredErrors = Pick<ReadonlyMap<number, readonly ErrorWriter[]>, 'get'>

/** Returns the members of a reply's body, if it is an object. */
function getBodyMembers({ content }: AnyReply): SchemaParts | undefined {
  if (content?.schema === undefined) return undefined
  const { schema, parts } = parseSchema(getJsonSchema(content.schema))
  return schema.properties === undefined ? undefined : parts
}

/** Finds a member of `second` that is lost when its body is written as `first`; undefined if no body can be both, or if nothing is lost. */
function findLostMember(first: AnyReply, second: AnyReply): string | undefined {
  const [members, others] = [getBodyMembers(first), getBodyMembers(second)]
  if (members === undefined || others === undefined) return undefined
  for (const [name, member] of members.properties) {
    const other = others.properties.get(name)
    if (other === undefined ? members.required.includes(name) : !isSameSchema(member.raw, other.raw)) return undefined
  }
  if (members.rest !== undefined && members.rest.schema !== neverSchema) return undefined
  return [...others.properties.keys()].find((name) => !members.properties.has(name))
}

/** @throws TypeError if a body of one error would be written as another error that was declared before it. */
function checkDistinctErrors({ route, errors }: AnyEndpoint): void {
  errors.forEach((second, index) => {
    for (const first of errors.slice(0, index)) {
      if (getStatusKey(first) !== getStatusKey(second) || first.content?.media[0]?.types[0] !== second.content?.media[0]?.types[0]) continue
      const lost = findLostMember(first, second)
      if (lost !== undefined) throw new TypeError(developerErrors.indistinguishableErrors(route, second.status, lost))
    }
  })
}

/** The texts of a header; undefined for any other value. */
function listTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.every((text) => typeof text === 'string') ? value : undefined
}

/** Encodes a header of an error: its value, or a text of its value. Code that does not know the endpoint has only a text. */
function encodeErrorHeader(route: string, name: string, parameter: AnyParameter, value: unknown): readonly string[] {
  try {
    return encodeHeader(route, name, parameter, value)
  } catch (error) {
    const texts = listTexts(value)
    if (texts !== undefined && !isParseError(parameter.read({ values: texts, isPresent: true }))) return texts
    throw value === undefined ? new TypeError(`the header ${name} is missing`, { cause: error }) : error
  }
}

/** Returns the headers of an error that it does not declare, flat. @throws TypeError for one that is no text */
function listOtherHeaders({ status, headers }: HttpError, declared: ReadonlySet<string>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]: readonly [string, unknown]) => {
    if (declared.has(name.toLowerCase())) return []
    const texts = listTexts(value)
    if (texts === undefined)
      throw new TypeError(
        developerErrors.unsendableError(status, `its header ${name} is no text, and no error of the endpoint declares it`),
      )
    return texts.flatMap((text) => [name, text])
  })
}

/** A body that the handler has encoded itself: text, bytes, or none. It is sent as it is. */
function toEncodedBody(body: unknown): ErrorBody | undefined {
  if (body === null || body === '') return { body: null }
  if (typeof body === 'string') return { type: 'text/plain;charset=utf-8', body }
  return body instanceof Uint8Array ? { type: 'application/octet-stream', body } : undefined
}

/**
 * Compiles one declared error. Errors are not negotiated, so that a client that asked for an image can read why there is none: the first
 * media type is the only one.
 */
function createErrorWriter(endpoint: AnyEndpoint, declared: AnyReply): ErrorWriter {
  const { route, etag } = endpoint
  // The ETag of a 304 is promised by the server.
  const reply = etag === undefined ? declared : removeEtag(declared)
  const names = new Map(Object.keys(reply.headers).map((name) => [name.toLowerCase(), name]))
  const writeHeaders = createHeaderWriter(route, reply, encodeErrorHeader)
  const writer = reply.content === undefined ? undefined : createReplyWriter(endpoint, reply, [])

  /** The body of a problem with the members that every problem has. */
  const completeProblem = (body: unknown, reason: string, detail: string | undefined): unknown => {
    if (reply.problem === undefined || typeof body !== 'object' || body === null) return body
    const title = reason === getReasonPhrase(reply.status) ? reply.problem.title : reason
    return { ...body, title, status: reply.status, ...(detail !== undefined && { detail }) }
  }

  const writeErrorBody = ({ body, reason, detail }: HttpError): ErrorBody | undefined => {
    if (isNullBodyStatus(reply.status)) return undefined
    if (writer === undefined) {
      const encoded = toEncodedBody(body)
      if (body !== undefined && encoded === undefined) throw new TypeError('it has a body, and declares problem details')
      return encoded
    }
    if (body === undefined) throw new TypeError('it has no body')
    try {
      // An error with a body has a type.
      return { type: writer.offers[0] as string, body: writer.writeBody(completeProblem(body, reason, detail), 0) }
    } catch (error) {
      const encoded = toEncodedBody(body)
      if (encoded === undefined) throw error
      return encoded
    }
  }

  return {
    hasBody: writer !== undefined,
    problemType: reply.problem?.type,
    headerNames: new Set(names.keys()),
    write: (error) => {
      const values = Object.entries(error.headers).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value])
      return { headers: writeHeaders(Object.fromEntries(values), []), body: writeErrorBody(error) }
    },
  }
}

/** Compiles the declared errors of an endpoint. Of several with one status, the body decides. @throws TypeError if it cannot. */
export function createDeclaredErrors(endpoint: AnyEndpoint): DeclaredErrors {
  checkDistinctErrors(endpoint)
  const writers = new Map(endpoint.errors.map((error) => [error, createErrorWriter(endpoint, error)]))
  const statuses = new Set(endpoint.errors.map(({ status }) => status))
  const listWriters = (status: number): readonly ErrorWriter[] =>
    findReplies(endpoint.errors, status).flatMap((error) => writers.get(error) ?? [])
  const byStatus = new Map([...statuses].map((status) => [status, listWriters(status)]))
  const hasRange = endpoint.errors.some(({ range }) => range !== undefined)
  return { get: (status) => byStatus.get(status) ?? (hasRange ? listWriters(status) : undefined) }
}

/** Writes a body that is not declared, with its media type. @throws TypeError if JSON cannot express it. */
function writeUndeclaredBody({ status, body }: HttpError): ErrorBody | undefined {
  if (isNullBodyStatus(status)) return { body: null }
  if (body === undefined) return undefined
  const encoded = toEncodedBody(body)
  if (encoded !== undefined) return encoded
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError(developerErrors.unsendableError(status, `its body is a ${typeof body}`))
  return { type: 'application/json;charset=utf-8', body: text }
}

/** The declared errors that an error can be: those of its problem type, else those that have a body as well, or none. */
function listCandidates(writers: readonly ErrorWriter[], { body }: HttpError): readonly ErrorWriter[] {
  const type: unknown = Object(body).type
  const ofType = writers.filter(({ problemType }) => problemType !== undefined && problemType === type)
  if (ofType.length > 0) return ofType
  const ofForm = writers.filter(({ hasBody }) => hasBody === (body !== undefined))
  return ofForm.length > 0 ? ofForm : writers
}

/** The headers and the body of an error as they are sent. */
interface WrittenError {
  /** Flat. */
  readonly headers: readonly string[]
  /** Undefined: problem details. */
  readonly body: ErrorBody | undefined
}

/**
 * Writes an error as the endpoint declares it: in the form of the first error of its status that it fits. An error of the toolkit is not a
 * promise of the handler.
 *
 * @throws TypeError if it fits none.
 */
export function writeError(error: HttpError, declared: DeclaredErrors | undefined, route: string | undefined): WrittenError {
  const writers = isToolkitError(error) ? undefined : declared?.get(error.status)
  if (writers === undefined || writers.length === 0)
    return { headers: listOtherHeaders(error, new Set()), body: writeUndeclaredBody(error) }
  let failure: unknown
  for (const { headerNames, write } of listCandidates(writers, error)) {
    try {
      const { headers, body } = write(error)
      return {
        headers: [...headers, ...listOtherHeaders(error, headerNames)],
        body: isNullBodyStatus(error.status) ? { body: null } : body,
      }
    } catch (flaw) {
      failure ??= flaw
    }
  }
  if (!(failure instanceof TypeError)) throw failure
  throw new TypeError(developerErrors.brokenError(`${route}`, error.status, failure.message), { cause: failure })
}
