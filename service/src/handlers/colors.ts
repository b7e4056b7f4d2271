/** The colours, a page at a time. */
import { link } from 'lapidary/links'
import type { PageOptions } from 'lapidary/pagination'
import type { Handlers } from 'lapidary/server'
import { colorRanges } from '../api/colors.ts'
import { pagination } from '../api.ts'
import type { Store } from '../store/store.ts'

/** `most` is the largest page. */
export function colors({ colors: store }: Store, most: number): Handlers<typeof pagination>['colors'] {
  const options: PageOptions = { maxLimit: most, link: (range) => link(pagination.colors, { query: { range } }) }
  return (input) => colorRanges.page(input, store, options)
}
