/**
 * What documentation says of all endpoints alike, of words of the language, and of the answers that the toolkit itself gives. One export each, so that a bundle for a browser has those that it uses.
 * Used as `import * as documentation from './documentation.ts'`.
 */
export const methodsText = () =>
  '`HEAD` is answered wherever `GET` is, with the same headers and no body. `OPTIONS` is answered at each path, with the methods of the path in `Allow`.'
export const contentTypesText = () =>
  'Of several content types, `Accept` chooses the one that is sent; the default is the first. A response that depends on it has `Vary: Accept`. `Content-Type` names the type of the body, and `X-Content-Type-Options: nosniff` forbids to guess another. All text is UTF-8.'
export const streamsText = () =>
  'A response without a `Content-Length` is a stream. When it fails, the connection closes before the body ends: the part that was sent is valid, and a body that ends properly is complete.'
export const problemsText = () =>
  'Errors are problem details (`application/problem+json`, RFC 9457) unless an endpoint declares another body: `title`, `status` and `detail` say what happened. For an invalid request, `errors` names each place and what was expected there.'
export const sharedErrorsText = () => 'Endpoints list these by their status codes only:'
const quoteWords = (words) => words.map((word) => `\`${word}\``).join(', ')
export const ndjsonText = (aliases) =>
  `One JSON value per line, ended by a line feed. Each line is sent as soon as its value is available.${aliases.length === 0 ? '' : ` Where \`Accept\` asks for ${quoteWords(aliases)}, the same lines are sent with that type.`}`
export const itemSchemaText = () => '`x-itemSchema` describes one value.'
export const basicAuthText = () => 'The user name and the password, joined by a colon and encoded in base64 (RFC 7617).'
export const bearerAuthText = () => 'The token, unchanged (RFC 6750).'
export const errorExampleText = (line, status) => `For example, ${line} is answered with ${status}:`
export const badRequestText = () => 'A part of the request is invalid; `errors` says which, and what was expected there.'
export const unauthorizedText = () => 'The credentials are missing or wrong.'
export const notAcceptableText = () => 'None of the types in `Accept` is available.'
export const contentTooLargeText = () => 'The body is larger than the server accepts.'
export const unsupportedMediaTypeText = () =>
  'The `Content-Type` is missing or not accepted, the charset is not UTF-8, or the body has a `Content-Encoding`.'
export const internalErrorText = () => 'An unexpected error occurred. Quote its `requestId` when you report it.'
export const etagText = () => 'Changes exactly when the body changes.'
export const ifMatchText = () => 'The `ETag` that the resource must still have; `*` matches any resource.'
export const ifNoneMatchText = () => 'The `ETag` that the resource must not have; `*` matches any resource.'
export const notModifiedText = () => 'The resource still has an `ETag` of `If-None-Match`.'
export const preconditionFailedText = () => 'The resource does not meet `If-Match` or `If-None-Match`.'
export const preconditionRequiredText = () => 'The request has no `If-Match`.'
