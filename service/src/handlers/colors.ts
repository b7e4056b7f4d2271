/** The colours, a page at a time. */
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { colorRanges, pagination } from '../api.ts'
import type { Store } from '../store/store.ts'

/** `most` is the largest page. */
export const colors =
  ({ colors: store }: Store, most: number): Handlers<typeof pagination>['colors'] =>
  (input) =>
    colorRanges.page(input, store, { most, link: (range) => link(pagination.colors, { query: { range } }) })
