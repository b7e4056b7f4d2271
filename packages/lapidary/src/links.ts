/** `lapidary/links`: from an endpoint to its URL, and back. */
export { link } from './links/link.ts'
export type { LinkInput } from './links/linkInput.ts'
export type { Match, MatchedValues, Matches } from './links/match.ts'
export { type MatchBase, type MatchOptions, match } from './links/match.ts'
