/** The public door of range pagination. */
export type { RangeInput } from '../ranges/asked.ts'
export type { PageHeaders, PaginationDeclaration } from '../ranges/declaration.ts'
export { type NextPageHeaders, type PageCall, type PaginateOptions, paginate } from '../ranges/pages.ts'
export type { Range, RangeOptions, SortOrder } from '../ranges/range.ts'
export {
  type KeyDefinition,
  type PageOptions,
  type RangePagination,
  type RangePaginationOptions,
  rangePagination,
} from '../ranges/ranges.ts'
export type { FieldDefinition, FieldValue, NullOrder, PageQuery, PageSource } from '../ranges/source.ts'
