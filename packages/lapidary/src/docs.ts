/** `lapidary/docs`: Markdown documentation of an API. */

export type { BodyExample, Encoding, Example } from './contract/exampleBody.ts'
export { type MarkdownOptions, markdown } from './docs/markdown.ts'
export type { ErrorExample } from './docs/outline.ts'
export { type Introduction, type Outline, type OutlineOptions, outline } from './docs/outline.ts'
export { type DocumentedRequest, documentedRequests } from './docs/requests.ts'
export type { DocumentedDeprecation, DocumentedResponse, Field, Section, Security } from './docs/section.ts'
export { createExample } from './json-schema/example.ts'
