/** Every place where the toolkit calls what a user wrote, each as a server in which that call fails. */
import {
  authScheme,
  basic,
  codec,
  content,
  endpoint,
  HttpError,
  html,
  list,
  mediaType,
  mount,
  ndjson,
  noContent,
  ok,
  reply,
  text,
  withHeaders,
} from 'lapidary'
import { loadShedding, timeout } from 'lapidary/middleware'
import { authenticate, type ErrorListener, fromFetch, type HttpHandler, type HttpRequest, type HttpResponse, serve } from 'lapidary/server'
import { z } from 'zod'

/** Throws, or gives a promise that rejects. */
export type Fail = () => never

/** A call that fails. */
export interface Place {
  /** The server; it tells `report` of what fails. */
  readonly handler: (fail: Fail, report: ErrorListener) => HttpHandler
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** What the client gets: 500, or a connection that is cut, or its answer all the same. Default: 500. */
  readonly gets?: 500 | 'cut' | 200
  /** Whether a promise is none of the call's results: then it only throws. */
  readonly isSynchronous?: true
  /** Whether it is console.error that hears of it. */
  readonly onConsole?: true
}

const failingCodec = (part: Partial<Record<'parse' | 'print', Fail>>) =>
  codec<string>({
    name: 'failing',
    parse: (given) => given,
    // The example is printed when the codec is made.
    print: (value) => (value === 'example' ? value : (part.print?.() ?? value)),
    schema: { type: 'string' },
    example: 'example',
    ...(part.parse && { parse: part.parse }),
  })

const schema = (validate: Fail) => ({
  '~standard': {
    ...{ version: 1 as const, vendor: 'failing', validate },
    jsonSchema: { input: () => ({ type: 'object' }) },
  },
})

const failingWriter = (fail: Fail) => mediaType<unknown>({ types: ['text/x-failing'], writer: () => fail })
const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
const answer: HttpResponse = { status: 200, headers: [], body: 'fine' }
const wrongly = (value: unknown): never => value as never
const stream = (fail: Fail, before: readonly string[]): HttpResponse['body'] =>
  (async function* () {
    yield* before
    await fail()
  })()

/** A handler around a server. */
const around = (handler: (request: HttpRequest, served: HttpHandler) => unknown, report: ErrorListener): HttpHandler => {
  const served = serve({ good: endpoint('GET /', { response: ok(text) }) }, { good: () => 'good' }, { onError: report })
  return (request) => wrongly(handler(request, served))
}

const people = basic<string>('people')
const credentials = { Authorization: `Basic ${btoa('ann:secret')}` }

/** By their names. */
export const places: Readonly<Record<string, Place>> = {
  'the codec of a capture': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /:x', { params: { x: failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    target: '/a',
  },
  'the codec of a capture, for a method that has no endpoint': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /:x', { params: { x: failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    method: 'DELETE',
    target: '/a',
  },
  'the codec of a query parameter': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { query: { x: failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    target: '/?x=1',
  },
  'the codec of a header': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { headers: { 'X-A': failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    headers: { 'X-A': 'a' },
  },
  'the credentials of a scheme': {
    handler: (fail, report) => {
      const own = authScheme<string, string>({ name: 'own', challenge: 'Own', credentials: fail, openapi: {} })
      const api = { one: endpoint('GET /', { auth: own, response: noContent }) }
      return serve(api, { one: () => {} }, { onError: report, auth: [authenticate(own, (name) => name)] })
    },
  },
  'the check of credentials': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { auth: people, response: noContent }) },
        { one: () => {} },
        { onError: report, auth: [authenticate(people, fail)] },
      ),
    headers: credentials,
  },
  'the reader of a medium': {
    handler: (fail, report) => {
      const read = mediaType<unknown>({ types: ['application/json'], reader: () => fail, writer: () => String })
      return serve({ one: endpoint('POST /', { body: read, response: noContent }) }, { one: () => {} }, { onError: report })
    },
    ...post,
  },
  'the reader of a medium, before a schema': {
    handler: (fail, report) => {
      const read = mediaType<unknown>({ types: ['application/json'], reader: () => fail, writer: () => String })
      const body = content(z.object({}), read)
      return serve({ one: endpoint('POST /', { body, response: noContent }) }, { one: () => {} }, { onError: report })
    },
    ...post,
  },
  'a schema': {
    handler: (fail, report) =>
      serve({ one: endpoint('POST /', { body: schema(fail), response: noContent }) }, { one: () => {} }, { onError: report }),
    ...post,
  },
  'the schema of the items of a list': {
    handler: (fail, report) =>
      serve({ one: endpoint('POST /', { body: list(schema(fail)), response: noContent }) }, { one: () => {} }, { onError: report }),
    ...{ ...post, body: '[{}]' },
  },
  'a handler': {
    handler: (fail, report) => serve({ one: endpoint('GET /', { response: ok(text) }) }, { one: fail }, { onError: report }),
  },
  'a handler, by a promise of another kind': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(text) }) },
        { one: () => wrongly(Object.defineProperty({}, 'then', { value: fail })) },
        { onError: report },
      ),
  },
  'a member of what a handler returns': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(z.object({ a: z.string() })) }) },
        {
          one: () => ({
            get a() {
              return fail()
            },
          }),
        },
        { onError: report },
      ),
  },
  'the codec of a response header': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(text, { headers: { 'X-A': failingCodec({ print: fail }) } }) }) },
        { one: () => withHeaders('a', { 'X-A': 'a' }) },
        { onError: report },
      ),
  },
  'the writer of a medium': {
    handler: (fail, report) =>
      serve({ one: endpoint('GET /', { response: ok(failingWriter(fail)) }) }, { one: () => ({}) }, { onError: report }),
  },
  'the writer of a medium, for a tag': {
    handler: (fail, report) => {
      const both = mediaType<unknown>({ types: ['text/x-failing'], reader: () => String, writer: () => fail })
      return serve({ one: endpoint('GET /', { response: ok(both), etag: true }) }, { one: () => ({}) }, { onError: report })
    },
  },
  'the template of a page': {
    handler: (fail, report) => serve({ one: endpoint('GET /', { response: ok(html(fail)) }) }, { one: () => ({}) }, { onError: report }),
  },
  'the template of a page, of a list that is walked': {
    handler: (fail, report) =>
      serve({ one: endpoint('GET /', { response: ok(html(fail)) }) }, { one: () => new Set([1]) }, { onError: report }),
  },
  'what a list is walked by': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve({ one: endpoint('GET /', { response: ok(list(z.int())) }) }, { one: () => ({ [Symbol.iterator]: fail }) }, { onError: report }),
  },
  'a producer, at its first item': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(ndjson(z.int())) }) },
        {
          one: async function* () {
            yield await fail()
          },
        },
        { onError: report },
      ),
  },
  'a producer, at its second item': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(ndjson(z.int())) }) },
        {
          one: async function* () {
            yield 1
            // The first is on its way.
            await new Promise((resolve) => setTimeout(resolve, 5))
            yield await fail()
          },
        },
        { onError: report },
      ),
    gets: 'cut',
  },
  'the writer of a declared error': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent, errors: [reply(409, failingWriter(fail))] }) },
        {
          one: () => {
            throw new HttpError(409, { body: {} })
          },
        },
        { onError: report },
      ),
  },
  'a member of a raised error': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw Object.defineProperty(new HttpError(409), 'headers', { get: fail })
          },
        },
        { onError: report },
      ),
  },
  translate: {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw new Error('a handler')
          },
        },
        { onError: report, mapError: fail },
      ),
  },
  report: {
    handler: (fail) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw new Error('a handler')
          },
        },
        { onError: fail },
      ),
    onConsole: true,
  },
  'report, of a stream': {
    handler: (fail) =>
      serve(
        { one: endpoint('GET /', { response: ok(ndjson(z.int())) }) },
        {
          one: async function* () {
            yield 1
            await new Promise((resolve) => setTimeout(resolve, 5))
            throw new Error('a producer')
          },
        },
        { onError: fail },
      ),
    gets: 'cut',
    onConsole: true,
  },
  'the format of problems, for a path that is not there': {
    handler: (fail, report) => serve({}, {}, { onError: report, format: fail }),
  },
  'the format of problems, for an error': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw new Error('a handler')
          },
        },
        { onError: report, format: fail },
      ),
  },
  'the handler of a mount': {
    handler: (fail, report) => serve({ one: mount('/') }, { one: fail }, { onError: report }),
  },
  'the stream of a mount, before it begins': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve({ one: mount('/') }, { one: () => ({ ...answer, body: wrongly({ [Symbol.asyncIterator]: fail }) }) }, { onError: report }),
  },
  'the stream of a mount': {
    handler: (fail, report) => serve({ one: mount('/') }, { one: () => ({ ...answer, body: stream(fail, ['a']) }) }, { onError: report }),
    gets: 'cut',
  },
  'a fetch handler that is mounted': {
    handler: (fail, report) => serve({ one: mount('/') }, { one: fromFetch(fail) }, { onError: report }),
  },
  'the fallback': {
    handler: (fail, report) => serve({}, {}, { onError: report, fallback: fail }),
  },
  'a listener of the end': {
    handler: (fail, report) =>
      around((request, served) => {
        request.onEnd(fail)
        return served(request)
      }, report),
    gets: 200,
  },
  'a listener of the end, of a stream': {
    handler: (fail, report) =>
      around((request) => {
        request.onEnd(fail)
        return {
          ...answer,
          body: stream(
            wrongly(async () => {}),
            ['fi', 'ne'],
          ),
        }
      }, report),
    gets: 200,
  },
  middleware: { handler: (fail, report) => around(fail, report) },
  'middleware, behind the server': {
    handler: (fail, report) => around((request, served) => Promise.resolve(served(request)).then(() => fail()), report),
  },
  'the stream of middleware, before it begins': {
    isSynchronous: true,
    handler: (fail, report) => around(() => ({ ...answer, body: { [Symbol.asyncIterator]: fail } }), report),
  },
  'the stream of middleware': {
    handler: (fail, report) => around(() => ({ ...answer, body: stream(fail, ['a']) }), report),
    gets: 'cut',
  },
  'the end of a stream that HEAD leaves unread': {
    handler: (fail, report) =>
      around((request) => {
        const body = { [Symbol.asyncIterator]: () => ({ next: fail, return: fail }) }
        // Node's client stays on a connection only where HEAD is told a length.
        return request.method === 'HEAD' ? { ...answer, headers: ['Content-Length', '4'], body } : answer
      }, report),
    method: 'HEAD',
    gets: 200,
  },
  'the handler within timeout()': {
    handler: (fail, report) => timeout(around(fail, report)),
  },
  'the format of a deadline': {
    handler: (fail, report) =>
      timeout(
        around(() => new Promise(() => {}), report),
        { time: 1, format: fail },
      ),
  },
  'what is excepted from shedding': {
    handler: (fail, report) =>
      loadShedding(
        around(() => answer, report),
        { except: fail },
      ),
  },
}

/** What a handler may answer that cannot be sent. */
export const unsendable: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a text': 'fine',
  'no status': { headers: [], body: 'fine' },
  'a status that is none': { status: 42, headers: [], body: 'fine' },
  'a header with a line break': { ...answer, headers: ['X-A', 'a\r\nb: c'] },
  'a header beyond Latin-1': { ...answer, headers: ['X-A', '→'] },
  'a header whose name is none': { ...answer, headers: ['X A', 'a'] },
  'a body that is a number': { ...answer, body: 5 },
  'a body that is an object': { ...answer, body: {} },
  'a body that is undefined': { status: 200, headers: [] },
}
