/** `lapidary/pagination`: range pagination. */
export { paginate } from './pagination/paginate.js'
export { rangePagination } from './pagination/rangePagination.js'
