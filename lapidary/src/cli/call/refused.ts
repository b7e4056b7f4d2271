/** Tells a refusal from a value. */
import { Refusal } from '../../describe/refusal.ts'

/** By its form as well: the API may have been described with another copy of this package than the one that runs. */
export const isRefusal = (value: unknown): value is Refusal =>
  value instanceof Refusal || (typeof value === 'object' && value !== null && 'flaws' in value && Array.isArray(value.flaws))
