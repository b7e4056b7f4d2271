/** `lapidary/pagination`: pages by ranges, by cursors and by numbers. */

export type { RangeInput } from './contract/endpoint.ts'
export {
  type CursorBody,
  type CursorDeclaration,
  type CursorInput,
  type CursorPageHeaders,
  type CursorPageOptions,
  type CursorPagination,
  type CursorPaginationOptions,
  cursorPagination,
  type Sort,
} from './pagination/cursorPagination.ts'
export type { PageHeaders, PaginationDeclaration } from './pagination/declaration.ts'
export {
  type NumberedPageBody,
  type NumberedPageHeaders,
  type NumberedPageOptions,
  type PageDeclaration,
  type PageInput,
  type PagePagination,
  type PagePaginationOptions,
  pagePagination,
} from './pagination/pagePagination.ts'
export {
  type NextPageHeaders,
  type NextPageInput,
  type PageCall,
  type PageItem,
  type PaginateOptions,
  paginate,
} from './pagination/paginate.ts'
export type { Range, SortOrder } from './pagination/range.ts'
export { type PageOptions, type RangePagination, type RangePaginationOptions, rangePagination } from './pagination/rangePagination.ts'
export type { FieldDefinition, FieldValue, KeysetSource, NullOrder, OffsetSource, PageQuery, PageSource } from './pagination/source.ts'
