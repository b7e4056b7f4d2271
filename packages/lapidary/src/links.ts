/** `lapidary/links`: from an endpoint to its URL, and back. */
export { type LinkInput, link } from './links/link.ts'
export { type Match, type MatchedValues, type Matches, type MatchOptions, match } from './links/match.ts'
