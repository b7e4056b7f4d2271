/** `lapidary/docs`: Markdown documentation of an API. */
export { markdown } from './docs/markdown.js'
export { outline } from './docs/outline.js'
export { documentedRequests } from './docs/requests.js'
export { createExample } from './json-schema/example.js'
