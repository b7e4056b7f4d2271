/** Checks that a definition has the form of one: plain JavaScript can write anything. */
import { checkOptions, describeKind } from '../http/functions.ts'
import { requireTime } from '../http/limits.ts'
import * as authErrors from '../messages/authErrors.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { isAuth } from './auth/alternatives.ts'
import { describeDefinitionValue } from './parameters/parameter.ts'
import { isSchema } from './parameters/schemaParameter.ts'
import type { AnyReply } from './reply.ts'

/** The parts of an endpoint. */
export const definitionKeys: readonly string[] = [
  'params',
  'query',
  'headers',
  'cookies',
  'auth',
  'body',
  'response',
  'errors',
  'etag',
  'idempotent',
  'maxBodySize',
  'rawBody',
  'timeout',
  'rateLimit',
  'pagination',
  'responseHeaders',
  'deprecated',
  'meta',
  'tags',
  'summary',
  'description',
  'examples',
]

/** A definition that plain JavaScript has written. */
type UntypedDefinition = Readonly<Record<string, unknown>>

// A function too: `int` and `created` are objects that can be called with options.
const isDefinitionObject = (value: unknown): value is UntypedDefinition =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/**
 * @param allowsSchemas Whether a schema can stand in place of a codec, and of all codecs.
 * @throws TypeError for anything but a record of codecs.
 */
export function checkCodecs(line: string, part: string, codecs: unknown = {}, allowsSchemas = true): void {
  if (!isDefinitionObject(codecs)) throw new TypeError(developerErrors.expectedCodec(line, part, describeDefinitionValue(codecs)))
  if (allowsSchemas && isSchema(codecs)) return
  for (const [name, codec] of Object.entries(codecs)) {
    if (allowsSchemas && isSchema(codec)) continue
    if (!isDefinitionObject(codec) || typeof codec['read'] !== 'function' || typeof codec['write'] !== 'function')
      throw new TypeError(developerErrors.expectedCodec(line, `${part}.${name}`, describeDefinitionValue(codec)))
  }
}

function checkReply(line: string, part: string, reply: unknown): void {
  if (!isDefinitionObject(reply) || typeof reply['status'] !== 'number')
    throw new TypeError(developerErrors.expectedReply(line, part, describeDefinitionValue(reply)))
  checkCodecs(line, `${part}.headers`, reply['headers'], false)
}

const isTagList = (tags: unknown): boolean => Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.trim() !== '')

/** @param line The route, or what else has the tags, for messages. @throws TypeError for anything but a list of texts. */
export function checkTags(line: string, tags: unknown): void {
  if (tags !== undefined && !isTagList(tags)) throw new TypeError(developerErrors.invalidTags(line))
}

/** @param line The route, or what else has the errors, for messages. @throws TypeError for anything but a list of replies. */
export function checkErrors(line: string, errors: unknown): asserts errors is readonly AnyReply[] {
  if (!Array.isArray(errors)) throw new TypeError(developerErrors.expectedErrorList(line, describeDefinitionValue(errors)))
  errors.forEach((error, index) => void checkReply(line, `errors[${index}]`, error))
}

/** @throws TypeError for an option that is unknown, missing or of the wrong type. */
export function checkDefinition(line: string, definition: object): void {
  checkOptions(line, definition, definitionKeys.join(', '))
  const { params, query, headers, cookies, auth, response, timeout, meta, tags, errors = [] }: UntypedDefinition = { ...definition }
  if (timeout !== undefined) requireTime(`${line}: timeout`, timeout as number, 'limit')
  checkCodecs(line, 'params', params)
  checkCodecs(line, 'query', query)
  checkCodecs(line, 'headers', headers)
  checkCodecs(line, 'cookies', cookies)
  if (auth !== undefined && !isAuth(auth)) throw new TypeError(authErrors.expectedAuthScheme(line, describeDefinitionValue(auth)))
  const responses = Array.isArray(response) ? response : [response]
  if (responses.length === 0) throw new TypeError(developerErrors.expectedReply(line, 'response', 'an empty list'))
  const statuses = new Set<number>()
  responses.forEach((reply, index) => {
    checkReply(line, Array.isArray(response) ? `response[${index}]` : 'response', reply)
    const { status, problem, range } = reply as AnyReply
    if (range !== undefined) throw new TypeError(developerErrors.rangeAsResponse(line, range))
    if (problem !== undefined) throw new TypeError(developerErrors.problemAsResponse(line, problem.type))
    if (statuses.has(status)) throw new TypeError(developerErrors.duplicateResponseStatus(line, status))
    statuses.add(status)
  })
  checkErrors(line, errors)
  const duplicate = errors.find(({ status, range }) => range === undefined && statuses.has(status))
  if (duplicate !== undefined) throw new TypeError(developerErrors.duplicateErrorStatus(line, duplicate.status))
  if (meta !== undefined && (typeof meta !== 'object' || meta === null))
    throw new TypeError(developerErrors.invalidMeta(line, describeKind(meta)))
  checkTags(line, tags)
}
