/** The items of a streamed answer, each as soon as it is there. */
import { validator } from '../describe/decode.ts'
import type { Content, MediumDefinition } from '../describe/medium.ts'
import { Refusal } from '../describe/refusal.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import type { Answered } from './answered.ts'
import { flawIn, refusedBody } from './flaw.ts'
import { pieces } from './pieces.ts'
import { StreamInterrupted } from './streamInterrupted.ts'
import { UnexpectedAnswer } from './unexpectedAnswer.ts'

/** Reads a stream: its items, then its end. @throws StreamInterrupted, UnexpectedAnswer; while it is walked. */
export type StreamReader = (answered: Answered) => AsyncIterable<unknown>

/** Compiles the reader of a streamed content, in this medium; undefined where the medium is read whole. */
export function streamedReader(
  { schema }: Content<unknown, unknown>,
  { streamReader }: MediumDefinition<unknown>,
): StreamReader | undefined {
  if (streamReader === undefined) return undefined
  const read = streamReader(schema === undefined ? undefined : jsonSchemaOf(schema))
  const validated = validator(schema, refusedBody)

  async function* walked(answered: Answered, leave: () => void): AsyncGenerator<unknown, void, undefined> {
    const { call, response, ending } = answered
    let items = 0
    const held = { bytes: 0 }
    /** What stands in the stream; that it cannot be read any further is all that can go wrong here. */
    async function* raw(): AsyncGenerator<unknown, void, undefined> {
      try {
        yield* read(pieces(answered, held))
      } catch (error) {
        ending.signal.throwIfAborted()
        if (error instanceof UnexpectedAnswer) throw error
        throw new StreamInterrupted(call, items, error)
      }
    }
    try {
      for await (const value of raw()) {
        held.bytes = 0
        const item = await validated(value)
        // The items of a piece that has already come are no longer wanted either.
        ending.signal.throwIfAborted()
        if (item instanceof Refusal) throw new UnexpectedAnswer(call, response, flawIn(item, `/${items}`))
        yield item
        items += 1
      }
    } finally {
      leave()
    }
  }

  // What may end the call may end its stream.
  return (answered) => walked(answered, answered.ending.heed())
}
