/** `lapidary/links`: from an endpoint to its URL, and back. */
export { link } from './links/link.js'
export { match } from './links/match.js'
