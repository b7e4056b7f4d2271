/** `lapidary/pagination`: range pagination. */

export type { RangeInput } from './contract/endpoint.ts'
export type { PageHeaders, PaginationDeclaration } from './pagination/declaration.ts'
export { type NextPageHeaders, type PageCall, paginate } from './pagination/paginate.ts'
export type { Range, SortOrder } from './pagination/range.ts'
export { type PageOptions, type RangePagination, type RangePaginationOptions, rangePagination } from './pagination/rangePagination.ts'
export type { FieldDefinition, FieldValue, NullOrder, PageQuery, PageSource } from './pagination/source.ts'
