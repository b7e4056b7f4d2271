/** The endpoint of colours as the service implements it, with any store. */
import { link } from 'lapidary/links'
import { colorRanges } from '../../service/dist/api/colors.js'
import { pagination } from '../../service/dist/api.js'

/**
 * @param {{ readonly colors: import('lapidary/pagination').PageSource<any, any> }} store
 * @param {number} maxLimit
 */
export function createColorHandler({ colors }, maxLimit) {
  /** @type {import('lapidary/pagination').PageOptions} */
  const options = { maxLimit, link: (range) => link(pagination.colors, { query: { range } }) }
  return (/** @type {any} */ input) => colorRanges.page(input, colors, options)
}
