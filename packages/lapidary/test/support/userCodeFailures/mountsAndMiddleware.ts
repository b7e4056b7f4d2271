/** Failures in code that works with whole requests and responses: mounts, the fallback, `onEnd` listeners and middleware. */
import { endpoint, mount, ok, text } from 'lapidary'
import { accessLog, loadShedding, type Middleware, requestId, timeout } from 'lapidary/middleware'
import { type ErrorListener, fromFetch, type HttpHandler, type HttpRequest, type HttpResponse, serve } from 'lapidary/server'
import { type Fail, type Place, wrongly } from './place.ts'

const response: HttpResponse = { status: 200, headers: [], body: 'fine' }
const stream = (fail: Fail, before: readonly string[]): HttpResponse['body'] =>
  (async function* () {
    yield* before
    await fail()
  })()

/** A server with middleware, the last of which is the given function. */
const around = (
  handler: (request: HttpRequest, served: HttpHandler) => unknown,
  report: ErrorListener,
  outer: readonly Middleware[] = [],
): HttpHandler =>
  serve(
    { good: endpoint('GET /', { response: ok(text) }) },
    { good: () => 'good' },
    { onError: report, middleware: [...outer, (next) => (request) => wrongly(handler(request, next))] },
  )

/** The calls that fail, by their names. */
export const mountAndMiddlewarePlaces: Readonly<Record<string, Place>> = {
  'the handler of a mount': {
    handler: (fail, report) => serve({ one: mount('/') }, { one: fail }, { onError: report }),
  },
  'the stream of a mount, before it begins': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve({ one: mount('/') }, { one: () => ({ ...response, body: wrongly({ [Symbol.asyncIterator]: fail }) }) }, { onError: report }),
  },
  'the stream of a mount': {
    handler: (fail, report) => serve({ one: mount('/') }, { one: () => ({ ...response, body: stream(fail, ['a']) }) }, { onError: report }),
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
          ...response,
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
    handler: (fail, report) => around(() => ({ ...response, body: { [Symbol.asyncIterator]: fail } }), report),
  },
  'the stream of middleware': {
    handler: (fail, report) => around(() => ({ ...response, body: stream(fail, ['a']) }), report),
    gets: 'cut',
  },
  'the end of a stream that HEAD leaves unread': {
    handler: (fail, report) =>
      around((request) => {
        const body = { [Symbol.asyncIterator]: () => ({ next: fail, return: fail }) }
        // Node's client stays on a connection only where the response to HEAD has a length.
        return request.method === 'HEAD' ? { ...response, headers: ['Content-Length', '4'], body } : response
      }, report),
    method: 'HEAD',
    gets: 200,
  },
  'the handler within timeout()': {
    handler: (fail, report) => around(fail, report, [timeout()]),
  },
  'the format of a deadline': {
    handler: (fail, report) => around(() => new Promise(() => {}), report, [timeout(1, { format: fail })]),
  },
  'a listener of the access log': {
    handler: (fail, report) => around(() => response, report, [accessLog(fail)]),
    gets: 200,
  },
  'a listener of the access log, at the start': {
    handler: (fail, report) => around(() => response, report, [accessLog({ onStart: fail, onEnd: () => {} })]),
  },
  'the generator of request ids': {
    handler: (fail, report) => around(() => response, report, [requestId({ generate: fail })]),
  },
  'what is excepted from shedding': {
    handler: (fail, report) => around(() => response, report, [loadShedding({ except: fail })]),
  },
}

/** What a handler may answer that cannot be sent. */
export const unsendable: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a text': 'fine',
  'no status': { headers: [], body: 'fine' },
  'a status that is none': { status: 42, headers: [], body: 'fine' },
  'a header with a line break': { ...response, headers: ['X-A', 'a\r\nb: c'] },
  'a header beyond Latin-1': { ...response, headers: ['X-A', '→'] },
  'a header whose name is none': { ...response, headers: ['X A', 'a'] },
  'a body that is a number': { ...response, body: 5 },
  'a body that is an object': { ...response, body: {} },
  'a body that is undefined': { status: 200, headers: [] },
}
