/** `int`: integers in text, within ±(2^53 − 1). */
import { isOutOfBounds } from '../../json-schema/validator.ts'
import * as expectation from '../../messages/expectations.ts'
import {
  type Codec,
  type CodecDefinition,
  type CodecOptions,
  type CodecWithOptions,
  createCallableCodec,
  createCodecDefinition,
} from './parameter.ts'

const integerPattern = /^-?[0-9]+$/

/** Options of `int`. */
interface IntOptions<Default extends number = number> extends CodecOptions<number, Default> {
  /** @default -9007199254740991 */
  readonly min?: number
  /** @default 9007199254740991 */
  readonly max?: number
}

/** `int`, and `int({ min: 1, max: 100 })`. */
export interface IntCodec extends Codec<number> {
  <const Default extends number = never>(options: IntOptions<Default>): CodecWithOptions<number, Default>
}

function createIntDefinition({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: IntOptions): CodecDefinition<number> {
  const schema = { type: 'integer', minimum: min, maximum: max }
  return createCodecDefinition(
    // The sum makes 0 of -0.
    (text) => (integerPattern.test(text) ? Number(text) + 0 : text),
    (value): value is number => Number.isSafeInteger(value) && !isOutOfBounds(schema, value),
    expectation.integer(min, max),
    { name: 'integer', schema, example: Math.max(min, Math.min(max, 42)) },
  )
}

/**
 * An integer. `0x10`, `1e3`, `+1`, ` 1` and integers beyond ±9007199254740991 are errors; no value is rounded.
 *
 * @example
 * ```ts
 * import { endpoint, int, ok, text } from 'lapidary'
 *
 * const item = endpoint('GET /items/:id', { params: { id: int }, response: ok(text) })
 * const items = endpoint('GET /items', { query: { limit: int({ min: 1, max: 100, default: 20 }) }, response: ok(text) })
 * ```
 */
export const int: IntCodec = /* @__PURE__ */ createCallableCodec(createIntDefinition, 'min, max, ')
