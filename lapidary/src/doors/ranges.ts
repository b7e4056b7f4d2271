/** The public door of range pagination. */
export type { Order, Range, RangeOptions } from '../ranges/range.ts'
export { type FieldDefinition, type PageHeaders, type RangeInput, type Ranges, type RangesOptions, ranges } from '../ranges/ranges.ts'
export type { PageQuery, Source } from '../ranges/source.ts'
