/** Tells a refusal from a value. */
import { ParseError } from '../../describe/refusal.ts'

/** By its form as well: the API may have been described with another copy of this package than the one that runs. */
export const isParseErrorLike = (value: unknown): value is ParseError =>
  value instanceof ParseError || (typeof value === 'object' && value !== null && 'flaws' in value && Array.isArray(value.flaws))
