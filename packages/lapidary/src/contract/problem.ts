/** `problem(409, '/problems/out-of-stock', OutOfStock)`: a declared error with problem details of a type of its own (RFC 9457). */
import { isPromise } from '../http/promises.ts'
import { getReasonPhrase } from '../http/status.ts'
import { isJsonObject, type JsonSchema } from '../json-schema/jsonSchema.ts'
import { listReferences } from '../json-schema/references.ts'
import {
  assertSchema,
  createSchema,
  getEncoder,
  getJsonSchema,
  type Schema,
  type StandardSchemaResult,
} from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { content } from './media/content.ts'
import { createJsonMediaType } from './media/json.ts'
import type { MediaType } from './media/mediaType.ts'
import { type Reply, type ReplyOptions, reply, type WithHeaders } from './reply.ts'

/** The members that every problem of a declared type has, as a client gets them. */
export interface ProblemOfType<Type extends string, Status extends number> {
  readonly type: Type
  readonly title: string
  readonly status: Status
  readonly detail?: string
}

/** What a handler gives: the type, and the members that the problem declares. The server adds `title`, `status` and `detail`. */
type ProblemInput<Type extends string, Members> = { readonly type: Type } & Members

/** What a client gets. */
type ProblemOutput<Type extends string, Status extends number, Members> = ProblemOfType<Type, Status> & Members

/** Options of a problem without headers. */
interface ProblemOptions {
  /**
   * One sentence that is the same for all problems of this type.
   *
   * @default the reason phrase of the status
   */
  readonly title?: string
  readonly description?: string
  readonly headers?: never
}

/** Options of a problem with headers. */
interface ProblemOptionsWithHeaders<Headers> extends ReplyOptions<Headers> {
  readonly title?: string
}

const problemMediaType: MediaType<unknown> = /* @__PURE__ */ createJsonMediaType('application/problem+json')

const ownMembers = ['type', 'title', 'status', 'detail']

/** @throws TypeError for members that are no object, or that a problem has already. */
function createProblemSchema(status: number, type: string, title: string, members: Schema | undefined): JsonSchema {
  const declared: JsonSchema = members === undefined ? { type: 'object' } : getJsonSchema(members)
  const { properties = {}, required = [] } = declared
  const taken = ownMembers.find((name) => Object.hasOwn(properties, name))
  if (taken !== undefined) throw new TypeError(developerErrors.memberOfProblem(type, taken))
  const isRecord = declared.type === 'object' && ['$ref', 'allOf', 'anyOf', 'oneOf'].every((keyword) => declared[keyword] === undefined)
  if (!isRecord || listReferences(declared).includes('#')) throw new TypeError(developerErrors.invalidProblemMembers(type))
  return {
    ...declared,
    properties: {
      type: { const: type },
      title: { type: 'string', examples: [title] },
      status: { const: status },
      detail: { type: 'string' },
      ...properties,
    },
    required: ['type', 'title', 'status', ...required],
  }
}

/** The schema of the whole body. Members that nothing declares are no error: a client ignores them (RFC 9457 §3.2). */
function createBodySchema(status: number, type: string, title: string, members: Schema | undefined): Schema<unknown> {
  const combine = (result: StandardSchemaResult<unknown>, own: object): StandardSchemaResult<unknown> =>
    result.issues === undefined ? { value: { ...own, ...(result.value as object) } } : result
  const validate = (value: unknown): StandardSchemaResult<unknown> | Promise<StandardSchemaResult<unknown>> => {
    if (!isJsonObject(value)) return { issues: [{ message: 'expected problem details' }] }
    const { type: given, title: phrase, status: code, detail, ...others } = value as Readonly<Record<string, unknown>>
    if (given !== type) return { issues: [{ message: `expected ${JSON.stringify(type)}`, path: ['type'] }] }
    if (code !== status) return { issues: [{ message: `expected ${status}`, path: ['status'] }] }
    if (typeof phrase !== 'string') return { issues: [{ message: 'expected a text', path: ['title'] }] }
    if (detail !== undefined && typeof detail !== 'string') return { issues: [{ message: 'expected a text', path: ['detail'] }] }
    const own = { type, title: phrase, status, ...(detail !== undefined && { detail }) }
    if (members === undefined) return { value: own }
    const result = members['~standard'].validate(others)
    return isPromise(result) ? result.then((settled) => combine(settled, own)) : combine(result, own)
  }
  let schema: JsonSchema | undefined
  const getSchema = (): Record<string, unknown> => {
    schema ??= Object.freeze(createProblemSchema(status, type, title, members))
    return schema
  }
  const encode = members && getEncoder(members)
  return createSchema({
    validate,
    getJsonSchema: getSchema,
    parts: members === undefined ? [] : [members],
    encoding: encode && {
      encode: (value) => {
        // A strict schema of the members refuses those that every problem has.
        const { type: given, title: phrase, status: code, detail, ...others } = Object(value) as Readonly<Record<string, unknown>>
        return { ...(encode(others) as object), type: given, title: phrase, status: code, ...(detail !== undefined && { detail }) }
      },
      source: members,
    },
  })
}

/** The characters of a URI reference (RFC 3986). */
const typePattern = /^[!#-;=?-[\]_a-z~]+$/i

/**
 * A declared error whose body is problem details (RFC 9457) of a type of its own, with members of its own. Several of one status are
 * distinguished by their `type`.
 *
 * @param type A URI reference that identifies the problem. A page at this address should explain it.
 * @param members The schema of an object: the further members. Default: none.
 * @throws TypeError for a status that is not an error, and for a `type` that is no URI reference. `serve` reports members that are no object,
 * or that have the name of a member of every problem.
 * @example
 * ```ts
 * import { created, endpoint, problem, text } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const outOfStock = problem(409, '/problems/out-of-stock', z.object({ left: z.int() }), { title: 'The stock is too small.' })
 * const api = { order: endpoint('POST /orders', { body: text, response: created, errors: [outOfStock] }) }
 * const server = serve(api, {
 *   order: ({ fail }) => fail(409, { body: { type: '/problems/out-of-stock', left: 3 }, detail: 'Only three are left.' }),
 * })
 * ```
 */
export function problem<const Status extends number, const Type extends string>(
  status: Status,
  type: Type,
  members?: undefined,
  options?: ProblemOptions,
): Reply<{ readonly type: Type }, ProblemOfType<Type, Status>, Status>
export function problem<const Status extends number, const Type extends string, Input, Output>(
  status: Status,
  type: Type,
  members: Schema<Input, Output>,
  options?: ProblemOptions,
): Reply<ProblemInput<Type, Input>, ProblemOutput<Type, Status, Output>, Status>
export function problem<const Status extends number, const Type extends string, Headers>(
  status: Status,
  type: Type,
  members: undefined,
  options: ProblemOptionsWithHeaders<Headers>,
): Reply<WithHeaders<{ readonly type: Type }, Headers>, WithHeaders<ProblemOfType<Type, Status>, Headers>, Status>
export function problem<const Status extends number, const Type extends string, Input, Output, Headers>(
  status: Status,
  type: Type,
  members: Schema<Input, Output>,
  options: ProblemOptionsWithHeaders<Headers>,
): Reply<WithHeaders<ProblemInput<Type, Input>, Headers>, WithHeaders<ProblemOutput<Type, Status, Output>, Headers>, Status>
export function problem(
  status: number,
  type: string,
  members?: Schema,
  options: { readonly title?: string; readonly description?: string; readonly headers?: object } = {},
): Reply<unknown, unknown> {
  if (!Number.isInteger(status) || status < 400 || status > 599) throw new TypeError(developerErrors.invalidProblemStatus(status))
  if (typeof type !== 'string' || !typePattern.test(type) || type === 'about:blank')
    throw new TypeError(developerErrors.invalidProblemType(type))
  if (members !== undefined) assertSchema(members)
  const { title = getReasonPhrase(status), description, headers = {} } = options
  const body = content(createBodySchema(status, type, title, members), problemMediaType)
  const declared = reply(status, body, { headers, ...(description !== undefined && { description }) } as { readonly description?: string })
  return Object.freeze({ ...declared, problem: Object.freeze({ type, title }) })
}
