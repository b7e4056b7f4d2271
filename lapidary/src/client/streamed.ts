/** The items of a streamed answer, each as soon as it is there. */
import { createValidator } from '../describe/decode.ts'
import type { Content, MediaTypeDefinition } from '../describe/medium.ts'
import { ParseError } from '../describe/refusal.ts'
import { getJsonSchema } from '../describe/schema.ts'
import type { ReceivedResponse } from './answered.ts'
import { describeBodyIssue, toBodyParseError } from './flaw.ts'
import { readChunks } from './pieces.ts'
import { StreamInterruptedError } from './streamInterrupted.ts'
import { UnexpectedResponseError } from './unexpectedAnswer.ts'

/** Reads a stream: its items, then its end. @throws StreamInterrupted, UnexpectedAnswer; while it is walked. */
export type ResponseStreamReader = (answered: ReceivedResponse) => AsyncIterable<unknown>

/** Compiles the reader of a streamed content, in this medium; undefined where the medium is read whole. */
export function createStreamReader(
  { schema }: Content<unknown, unknown>,
  { streamReader }: MediaTypeDefinition<unknown>,
): ResponseStreamReader | undefined {
  if (streamReader === undefined) return undefined
  const read = streamReader(schema === undefined ? undefined : getJsonSchema(schema))
  const validated = createValidator(schema, toBodyParseError)

  async function* walked(answered: ReceivedResponse, leave: () => void): AsyncGenerator<unknown, void, undefined> {
    const { call, response, cancellation: ending } = answered
    let items = 0
    const held = { bytes: 0 }
    /** What stands in the stream; that it cannot be read any further is all that can go wrong here. */
    async function* raw(): AsyncGenerator<unknown, void, undefined> {
      try {
        yield* read(readChunks(answered, held))
      } catch (error) {
        ending.signal.throwIfAborted()
        if (error instanceof UnexpectedResponseError) throw error
        throw new StreamInterruptedError(call, items, error)
      }
    }
    try {
      for await (const value of raw()) {
        held.bytes = 0
        const item = await validated(value)
        // The items of a piece that has already come are no longer wanted either.
        ending.signal.throwIfAborted()
        if (item instanceof ParseError) throw new UnexpectedResponseError(call, response, describeBodyIssue(item, `/${items}`))
        yield item
        items += 1
      }
    } finally {
      leave()
    }
  }

  // What may end the call may end its stream.
  return (answered) => walked(answered, answered.cancellation.listen())
}
