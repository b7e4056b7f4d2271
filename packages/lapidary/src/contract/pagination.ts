/** `pagination`: the part of an endpoint's definition by which a program that has only the API can make pages. */
import type { WithHeaders } from './reply.ts'

/** Makes pages of any items, for a program that has only the API, such as a mock. `rangePagination` of `lapidary/pagination` creates it. */
export interface Pagination {
  /**
   * Returns the page that a request asks for, with its headers.
   *
   * @throws HttpError 400 for a malformed range, 416 for a field without ranges.
   */
  readonly page: (input: RangeInput, items: readonly unknown[]) => Promise<WithHeaders<readonly unknown[], object>>
  /** Returns what distinguishes any two items. */
  readonly getKey: (item: unknown) => string | number
  /** Whether the codecs of the fields can write an item. @throws what a codec or a function of the application throws. */
  readonly isRepresentable: (item: unknown) => boolean
}

/** The parts of a request that select a page: the header `Range`, or the same text as the query parameter `range`. */
export interface RangeInput {
  readonly headers: { readonly Range: string | undefined }
  readonly query: { readonly range: string | undefined }
}
