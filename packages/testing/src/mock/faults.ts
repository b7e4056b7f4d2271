/** Faults and delays of a mock. They depend only on the seed and the order of requests, so that they can be repeated. */

import type { AnyEndpoint } from 'lapidary'
import type { HttpHandler, HttpRequest, ResponseBody } from 'lapidary/server'
import { mockDetail } from '../testingMessages.ts'
import { hashWords } from './hash.ts'
import type { AnyMockOptions, Delay } from './options.ts'
import { type AnyMockHandler, createDeclaredError } from './responses.ts'

/** The error that ends a response that is cut off. */
class ResponseCut extends Error {
  override readonly name = 'ResponseCut'
}

/** Draws a number of at least 0 and less than 1. */
const drawFraction = (...words: readonly unknown[]): number => (hashWords(...words) >>> 0) / 2 ** 32

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds))

/** Yields half of the first chunk of a body, and then fails. */
async function* cutInHalf(body: Exclude<ResponseBody, null>): AsyncGenerator<Uint8Array> {
  const chunks = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    yield bytes.subarray(0, bytes.length >> 1)
    // Bytes that are written in the same tick as the end of the connection would be lost.
    await wait(1)
    break
  }
  throw new ResponseCut(mockDetail.unavailable())
}

/** Injects faults into handlers. */
interface FaultInjector {
  /** Wraps the handler of an endpoint: a share of its calls fails. @throws HttpError 503 */
  readonly failHandler: (name: string, endpoint: AnyEndpoint, handler: AnyMockHandler) => AnyMockHandler
  /** Wraps the server: a share of the responses of the wrapped handlers is cut off. */
  readonly cutResponses: (handler: HttpHandler) => HttpHandler
}

/** Creates the injector of the given faults. */
export function createFaultInjector(faults: AnyMockOptions['faults'] = {}, seed: number): FaultInjector {
  const cutRequests = new WeakSet<HttpRequest>()
  let hasCuts = false
  return {
    failHandler: (name, endpoint, handler) => {
      const { unavailable = 0, cut = 0 } = faults.at?.[name] ?? faults
      if (unavailable === 0 && cut === 0) return handler
      hasCuts ||= cut > 0
      let count = 0
      return (input, request) => {
        count += 1
        if (drawFraction(seed, name, 'unavailable', count) < unavailable)
          throw createDeclaredError(endpoint, 503, { detail: mockDetail.unavailable(), headers: { 'Retry-After': '1' } })
        if (drawFraction(seed, name, 'cut', count) < cut) cutRequests.add(request)
        return handler(input, request)
      }
    },
    cutResponses: (handler) => {
      if (!hasCuts) return handler
      return async (request) => {
        const response = await handler(request)
        return response.body === null || !cutRequests.has(request) ? response : { ...response, body: cutInHalf(response.body) }
      }
    },
  }
}

/** Delays each response of a handler. */
export function withDelay(handler: HttpHandler, { min, max }: Delay, seed: number): HttpHandler {
  let count = 0
  return async (request) => {
    count += 1
    await wait(min + drawFraction(seed, 'delay', count) * (max - min))
    return handler(request)
  }
}
