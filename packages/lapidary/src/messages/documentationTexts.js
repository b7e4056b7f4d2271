/**
 * What documentation says of all endpoints alike, of words of the language, and of the answers that the toolkit itself gives. One export each, so that a bundle for a browser has those that it uses.
 * Used as `import * as documentation from './documentation.ts'`.
 */
export const methodsText = () =>
  '`HEAD` is answered wherever `GET` is, with the same headers and no body. `OPTIONS` is answered at each path, with its methods in `Allow`.'
export const contentTypesText = () =>
  'Of several content types, `Accept` chooses the one that is sent; without it that is the first. Where this makes a difference, the answer has `Vary: Accept`. `Content-Type` says which one a body is sent in, and `X-Content-Type-Options: nosniff` that nobody is to guess another. All text is UTF-8.'
export const streamsText = () =>
  'An answer without a `Content-Length` is sent while it is made. When that fails, the connection ends before the body does: what was sent stays good, and a body that ends properly is complete.'
export const problemsText = () =>
  'Errors are problem details (`application/problem+json`, RFC 9457) where nothing else is said: `title`, `status` and `detail` say what happened; of a request that cannot be read, `errors` names each place and what was expected there.'
export const sharedErrorsText = () => 'An endpoint lists these by their numbers alone:'
const quoteWords = (words) => words.map((word) => `\`${word}\``).join(', ')
export const ndjsonText = (aliases) =>
  `One JSON value a line, ended by a line feed; each line is sent as soon as its value is there.${aliases.length === 0 ? '' : ` Where \`Accept\` asks for ${quoteWords(aliases)}, the same lines are sent under that name.`}`
export const itemSchemaText = () => '`x-itemSchema` describes one value.'
export const basicAuthText = () => 'The name and the password, joined by a colon, stand in base64 (RFC 7617).'
export const bearerAuthText = () => 'The token stands as it is (RFC 6750).'
export const errorExampleText = (line, status) => `For example, ${line} is answered ${status}:`
export const badRequestText = () => 'Some part of the request cannot be read; `errors` says which, and what was expected there.'
export const unauthorizedText = () => 'The credentials are missing or wrong.'
export const notAcceptableText = () => 'None of the types in `Accept` is offered.'
export const contentTooLargeText = () => 'The body is larger than the server takes.'
export const unsupportedMediaTypeText = () =>
  'The body has no `Content-Type`, one that is not accepted, a charset other than UTF-8 or a `Content-Encoding`.'
export const internalErrorText = () => 'Something unexpected went wrong; `requestId` is to be quoted.'
export const etagText = () => 'Changes when, and only when, the body does.'
export const ifMatchText = () => 'What must still be here, by its `ETag`; `*` is anything.'
export const ifNoneMatchText = () => 'What must be here no longer, by its `ETag`; `*` is anything.'
export const notModifiedText = () => 'What is here is still what `If-None-Match` names.'
export const preconditionFailedText = () => 'What is here is not what `If-Match` or `If-None-Match` asks for.'
export const preconditionRequiredText = () => 'There is no `If-Match`.'
