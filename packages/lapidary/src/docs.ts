/** `lapidary/docs`: Markdown documentation of an API. */

export type { Field } from './docs/field.ts'
export { type MarkdownOptions, markdown } from './docs/markdown.ts'
export { type Outline, type OutlineOptions, outline } from './docs/outline.ts'
export { type DocumentedRequest, documentedRequests } from './docs/requests.ts'
export type { DocumentedResponse, Section } from './docs/section.ts'
export type { WebhookSection } from './docs/webhookSection.ts'
export { createExample } from './json-schema/example.ts'
