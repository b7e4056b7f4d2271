/** A server in memory that sends any response that its description allows, and the calls of another description. */

import { manifest } from '@lapidary/testing'
import * as fc from 'fast-check'
import { type AnyEndpoint, type Api, type AuthAlternatives, type Content, operations, respond } from 'lapidary'
import { type Credentials, client, credentials, isDeclaredError } from 'lapidary/client'
import { joinValues, type ParameterValues, toInputParameter } from 'lapidary/internal'
import { type ApiServer, type HttpHandler, serve } from 'lapidary/server'
import { listAuthSchemes } from '../../../../lapidary/src/contract/auth/alternatives.ts'
import type { AnyReply } from '../../../../lapidary/src/contract/reply.ts'
import { HttpError } from '../../../../lapidary/src/http/httpError.ts'
import { isParseError } from '../../../../lapidary/src/json-schema/parseError.ts'
import { getJsonSchema } from '../../../../lapidary/src/json-schema/standardSchema.ts'
import { acceptsValue, generateCalls } from '../../../src/generate/calls.ts'
import { generateParameterTexts } from '../../../src/generate/parameterTexts.ts'
import { createArbitrary } from '../../../src/generate/values.ts'

type Values = () => unknown

/** The next of the values, again and again the same ones. */
function taking(values: fc.Arbitrary<unknown>, seed: number): Values {
  const all = fc.sample(values, { seed, numRuns: 100 })
  let next = 0
  return () => all[next++ % all.length]
}

const bare: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'text/plain': fc.string({ unit: 'grapheme', maxLength: 8 }),
  'application/octet-stream': fc.uint8Array({ maxLength: 8 }),
  'application/json': fc.jsonValue({ maxDepth: 1 }),
}

function bodyValues(content: Content<unknown, unknown> | undefined): fc.Arbitrary<unknown> {
  if (content === undefined) return fc.constant(undefined)
  const { schema, media, isDownload } = content
  if (isDownload)
    return fc
      .tuple(fc.uint8Array({ maxLength: 8 }), fc.constantFrom(...media.flatMap(({ types }) => types)))
      .map(([bytes, own]) => new Blob([bytes], { type: own.replaceAll('*', 'x') }))
  const [type = ''] = (media[0]?.types[0] ?? '').split(';')
  const one = schema === undefined ? bare[type] : createArbitrary(getJsonSchema(schema), (value) => acceptsValue(schema, value))
  if (one === undefined) throw new Error(`There are no values of ${type}.`)
  return media.some(({ streamReader }) => streamReader !== undefined) ? fc.array(one, { minLength: 1, maxLength: 3 }) : one
}

/** What a handler returns for a reply. The tag is the toolkit's own. */
function replyValues({ content, headers }: AnyReply, isTagged: boolean): fc.Arbitrary<unknown> {
  const body = bodyValues(content)
  const own = Object.entries(headers).filter(([name]) => !isTagged || name !== 'ETag')
  if (own.length === 0) return body
  const written = own.map(([name, parameter]) => {
    const texts = generateParameterTexts(parameter, 'header') ?? fc.constant<readonly string[]>([])
    return [name, texts.map((given) => parameter.read({ values: given, isPresent: given.length > 0 }))] as const
  })
  return fc.record({ body, headers: fc.record(Object.fromEntries(written), { noNullPrototype: true }) })
}

type Handler = (input: { readonly precondition?: (current: unknown) => void }) => unknown

function handlerOf(endpoint: AnyEndpoint, seed: number, current: unknown): Handler {
  const { etag, responses, errors } = endpoint
  if (etag === true) return () => current
  const choices = responses.map((reply) => ({ status: reply.status, next: taking(replyValues(reply, false), seed) }))
  const own = etag === undefined ? errors : []
  let calls = 0
  return ({ precondition }) => {
    precondition?.(current)
    calls += 1
    const error = own[calls % (2 * own.length || 1)]
    if (error === undefined) {
      const choice = choices[calls % choices.length]
      return choice && respond(choice.status, choice.next())
    }
    const body = error.content === undefined ? {} : { body: fc.sample(bodyValues(error.content), { seed: calls, numRuns: 1 })[0] }
    throw new HttpError(error.status, body)
  }
}

const alternativesOf = (api: Api): AuthAlternatives =>
  operations(api).flatMap(({ operation }) => (operation['~kind'] === 'endpoint' ? (operation.auth ?? []) : []))

/** Serves an API with answers that it allows. */
export function responder(api: Api, seed: number): ApiServer {
  const tagged = operations(api).find(({ operation }) => operation['~kind'] === 'endpoint' && operation.etag === true)?.operation
  const current = tagged?.['~kind'] === 'endpoint' ? taking(replyValues(tagged.response, true), seed)() : undefined
  const mounted: HttpHandler = () => ({ status: 200, headers: [], body: null })
  const handlers: Record<string, unknown> = {}
  for (const { path, operation } of operations(api)) {
    // The rows are of APIs without groups.
    handlers[path.join('.')] = operation['~kind'] === 'mount' ? mounted : handlerOf(operation, seed, current)
  }
  const auth = listAuthSchemes(alternativesOf(api)).map((scheme) => ({
    scheme,
    // The token of a client names its scopes.
    verify: (shown: unknown) => ({ scopes: String(shown).split('~') }),
    scopes: (user: { readonly scopes: readonly string[] }) => user.scopes,
  }))
  // The handlers were made for this very API.
  return serve(api, handlers as never, { auth, onError: () => {} })
}

const read = (declared: AnyEndpoint['query'], texts: Readonly<Record<string, readonly string[]>>): ParameterValues =>
  Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => {
      const given = texts[name] ?? []
      // A caller leaves out what has a default.
      if (given.length === 0) return [name, undefined]
      const value: unknown = toInputParameter(parameter).read({ values: given, isPresent: true })
      return [name, isParseError(value) ? undefined : value]
    }),
  )

/** How a call asks for each type of the response: those that nothing reads are asked for as text. */
const acceptOptionsOf = ({ response: { content } }: AnyEndpoint): readonly object[] =>
  (content?.media ?? []).flatMap(({ types, reader, streamReader }) =>
    types.map((full) => {
      const [type = full] = full.split(';')
      return reader === undefined && streamReader === undefined ? { accept: type } : { headers: { Accept: type } }
    }),
  )

/** Walks a stream to its end. */
async function consumed(got: unknown): Promise<void> {
  const stream = typeof got === 'object' && got !== null && 'body' in got ? got.body : got
  if (typeof stream === 'object' && stream !== null && Symbol.asyncIterator in stream)
    for await (const _ of stream as AsyncIterable<unknown>);
}

/** The status and the body of a response, which can be read again. */
const readWhole = async (response: Response): Promise<string> => `${response.status} ${await response.clone().text()}`

/** Whether If-Match names versions that no server has. */
const isForeignTag = (tags: readonly string[] = []): boolean => tags.length > 0 && !tags.includes('*')

type Calls = (input: object, options: object) => Promise<unknown>

/** Calls every endpoint of one API on a server of another; gives what fails that the first one does not declare, as soon as it fails. */
export async function* replayed(caller: Api, server: ApiServer, seed: number, numRuns: number): AsyncGenerator<unknown, void> {
  const alternatives = alternativesOf(caller)
  for (const requirements of alternatives.length === 0 ? [[]] : alternatives) {
    const auth = requirements.map(({ scheme, scopes }) => credentials(scheme, scopes.join('~') || scheme.example))
    yield* replayedWith(auth, caller, server, seed, numRuns)
  }
}

/** The same for a client with these credentials. */
async function* replayedWith(
  auth: readonly Credentials[],
  caller: Api,
  server: ApiServer,
  seed: number,
  numRuns: number,
): AsyncGenerator<unknown, void> {
  const failures: unknown[] = []
  const { endpoints } = manifest(caller)
  let current: { readonly endpoint: AnyEndpoint; readonly always: readonly string[] } | undefined
  let count = 0
  const fetch = async (request: Request): Promise<Response> => {
    // A client that need not send a key leaves it out at times.
    count += 1
    if (current?.endpoint.idempotent === 'optional' && count % 2 === 0) request.headers.delete('Idempotency-Key')
    const hasKey = current?.endpoint.idempotent !== undefined && request.headers.has('Idempotency-Key')
    const again = hasKey ? request.clone() : undefined
    const response = await server.fetch(request)
    if (again && (await readWhole(response)) !== (await readWhole(await server.fetch(again))))
      failures.push('the same request gets another response')
    const missing = current?.always.filter((name) => !response.headers.has(name)) ?? []
    failures.push(...missing.map((name) => `the response has no ${name}`))
    return response
  }
  const calls = client(caller, 'http://memory.test', { fetch, auth }) as object
  for (const { path, name, operation } of operations(caller)) {
    if (operation['~kind'] === 'mount') {
      const { status } = await server.fetch(new Request(`http://memory.test${operation.prefix}/a`))
      if (status !== 200) failures.push(`the mount responds with ${status}`)
      yield* failures.splice(0)
      continue
    }
    current = { endpoint: operation, always: Object.keys(endpoints[name]?.always ?? {}) }
    const call = path.reduce<unknown>((here, key) => Reflect.get(here as object, key), calls) as Calls
    const accepted = [{}, ...acceptOptionsOf(operation)]
    for (const [index, { captures, query, headers, cookies, body }] of fc.sample(generateCalls(operation), { seed, numRuns }).entries()) {
      const texts = Object.fromEntries(Object.entries(captures).map(([name, text]) => [name, [text]]))
      const input = {
        params: joinValues(operation.parameterGroups.params, read(operation.params, texts)),
        query: joinValues(operation.parameterGroups.query, read(operation.query, query)),
        headers: joinValues(operation.parameterGroups.headers, read(operation.headers, headers)),
        cookies: joinValues(operation.parameterGroups.cookies, read(operation.cookies, cookies)),
      }
      const options = {
        ...accepted[index % accepted.length],
        ...(body === undefined ? {} : { contentType: body.type }),
      }
      try {
        await consumed(await call({ ...input, ...(body && { body: body.value }) }, options))
        if (typeof operation.etag === 'string' && isForeignTag(headers['If-Match'])) failures.push('a change of another version was made')
      } catch (error) {
        if (!isDeclaredError(operation, error)) failures.push(error)
      }
      yield* failures.splice(0)
    }
  }
}
