/** The public door of range pagination. */
export type { RangeInput } from '../ranges/asked.ts'
export type { Declaration, PageHeaders } from '../ranges/declaration.ts'
export { type NextHeaders, type PageCall, type PagesOptions, pages } from '../ranges/pages.ts'
export type { Order, Range, RangeOptions } from '../ranges/range.ts'
export { type KeyDefinition, type PageOptions, type Ranges, type RangesOptions, ranges } from '../ranges/ranges.ts'
export type { FieldDefinition, FieldValue, Nulls, PageQuery, Source } from '../ranges/source.ts'
