/** Work that is done later, in the context that it is done for. */
import { type Context, context } from '@opentelemetry/api'
import type { HttpResponse } from '../server/kernel.ts'

type ContextStream = AsyncIterable<string | Uint8Array>

/** A carrier asks for each piece out of nowhere. No generator: one that is left before it began would not hear of it. */
const bindStream = (pieces: ContextStream, own: Context): ContextStream => ({
  [Symbol.asyncIterator]: () => {
    const iterator = context.with(own, () => pieces[Symbol.asyncIterator]())
    return {
      next: () => context.with(own, () => iterator.next()),
      return: async () => {
        await context.with(own, () => iterator.return?.())
        return { done: true, value: undefined }
      },
    }
  },
})

/** The same answer, the pieces of which are made within this context. */
export function bindResponseBody(outgoing: HttpResponse, own: Context): HttpResponse {
  const { body } = outgoing
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return outgoing
  return { ...outgoing, body: bindStream(body, own) }
}
