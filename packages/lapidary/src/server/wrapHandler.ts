/** Runs a provider around a handler. Where the handler returns a stream, the provider runs until the stream has ended. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { isStatusValue } from '../contract/reply.ts'
import { isHttpError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { silenceRejection } from '../http/promises.ts'
import { releaseIterator } from '../http/responseStream.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { OperationHandler } from './handlers.ts'

/** A provider, without its types. */
export type UntypedProvider = (input: object, next: (added?: object) => Promise<unknown>, request: HttpRequest) => Promise<unknown>

type AnyIterable = AsyncIterable<unknown> | Iterable<unknown>

/** Whether a value is made while it is read: an iterator or an async iterable, such as a generator. */
const isStream = (value: unknown): value is AnyIterable =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || (Symbol.iterator in value && 'next' in value))

/** A stream in what a handler returned. */
interface ReturnedStream {
  readonly stream: AnyIterable
  /** The return value with another stream in place of its own. */
  readonly replace: (other: AnyIterable) => unknown
}

function findStream(value: unknown): ReturnedStream | undefined {
  if (isStream(value)) return { stream: value, replace: (other) => other }
  if (isStatusValue(value)) {
    const found = findStream(value.value)
    return found && { ...found, replace: (other) => ({ ...value, value: found.replace(other) }) }
  }
  if (typeof value !== 'object' || value === null || !('headers' in value && 'body' in value) || !isStream(value.body)) return undefined
  return { stream: value.body, replace: (other) => ({ ...value, body: other }) }
}

const getIterator = (stream: AnyIterable): AsyncIterator<unknown> | Iterator<unknown> =>
  Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : stream[Symbol.iterator]()

/** A stream that ends when its provider is done, and that tells the provider when it has ended. */
class ProvidedStream implements AsyncIterableIterator<unknown> {
  private readonly iterator: AsyncIterator<unknown> | Iterator<unknown>
  private readonly provided: Promise<unknown>
  /** Set when the provider has failed before the end of the stream, by a time limit of its own. */
  private failure: { readonly error: unknown } | undefined
  private resolveEnded = (): void => {}
  private rejectEnded = (_error: unknown): void => {}
  /** Resolves when the stream has ended; rejects when it has failed, or when nothing reads it any more. */
  readonly ended: Promise<void>

  constructor(stream: AnyIterable, provided: Promise<unknown>) {
    this.iterator = getIterator(stream)
    this.provided = provided
    provided.catch((error: unknown) => {
      this.failure = { error }
    })
    this.ended = new Promise((resolve, reject) => {
      this.resolveEnded = resolve
      this.rejectEnded = reject
    })
    // A provider that does not wait for it has nothing to roll back.
    this.ended.catch(() => {})
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<unknown>> {
    if (this.failure !== undefined) {
      releaseIterator(this)
      throw this.failure.error
    }
    let result: IteratorResult<unknown>
    try {
      result = await this.iterator.next()
    } catch (error) {
      this.rejectEnded(error)
      // The provider may have a better error.
      await this.provided
      throw error
    }
    if (result.done === true) {
      this.resolveEnded()
      await this.provided
    }
    return result
  }

  /** Nothing reads the stream any more, or ever will. The producer ends before its provider does. */
  async return(): Promise<IteratorResult<unknown>> {
    try {
      await this.iterator.return?.()
    } finally {
      this.rejectEnded(new DOMException('The client has left before the end of the response.', 'AbortError'))
    }
    return { done: true, value: undefined }
  }
}

/** Returns a handler that runs a provider around another handler. */
export const wrapHandler =
  (endpoint: AnyEndpoint, provider: UntypedProvider, handler: OperationHandler): OperationHandler =>
  (input, request) =>
    new Promise((resolve, reject) => {
      let outcome: (() => unknown) | undefined
      let running: Promise<unknown> | undefined
      let isCalledTwice = false
      const nextResult = {}

      const run = async (added: object): Promise<unknown> => {
        try {
          const value = await handler({ ...input, ...added }, request)
          if (isHttpError(value)) throw value
          outcome = () => value
          const returned = findStream(value)
          if (returned === undefined) return nextResult
          const stream = new ProvidedStream(returned.stream, provided)
          // The adapter may never start a stream whose client has left.
          request.onEnd(() => releaseIterator(stream))
          // The response begins while the provider waits for its end.
          resolve(returned.replace(stream))
          await stream.ended
          return nextResult
        } catch (error) {
          outcome = () => {
            throw error
          }
          throw error
        }
      }

      const next = (added: object = {}): Promise<unknown> => {
        isCalledTwice = running !== undefined
        if (isCalledTwice) return silenceRejection(Promise.reject(new TypeError(developerErrors.nextCalledTwice(endpoint.route))))
        // A provider may wait for it later, or never: the response has the error in any case.
        running = silenceRejection(run(added))
        return running
      }

      const provided = (async () => provider({ ...input, endpoint }, next, request))().then(async (returned) => {
        // The handler may still run, and its error counts first.
        if (returned !== nextResult) await running
        const result = outcome?.()
        if (isCalledTwice) throw new TypeError(developerErrors.nextCalledTwice(endpoint.route))
        if (returned !== nextResult) throw new TypeError(developerErrors.nextNotReturned(endpoint.route))
        return result
      })
      provided.then(resolve, reject)
    })
