/** Sentences that documentation and OpenAPI share. Each is an export of its own, so that a bundle contains only those that it uses. */

export const methodsText = (): string =>
  '`HEAD` is answered wherever `GET` is, with the same headers and no body. `OPTIONS` is answered at each path, with the methods of the path in `Allow`.'
export const contentTypesText = (): string =>
  'Of several content types, `Accept` chooses the one that is sent; the default is the first. A response that depends on it has `Vary: Accept`. `Content-Type` names the type of the body, and `X-Content-Type-Options: nosniff` tells clients not to guess another. All text is UTF-8.'
export const streamsText = (): string =>
  'A response without a `Content-Length` is a stream. When it fails, the connection closes before the body ends: the part that was sent is valid, and a body that ends properly is complete.'
export const problemsText = (): string =>
  'Errors are problem details (`application/problem+json`, RFC 9457) unless an endpoint declares another body: `title`, `status` and `detail` say what happened. For an invalid request, `errors` names each place and what was expected there.'
export const sharedErrorsText = (): string => 'Endpoints list these by their status codes only:'
const quoteWords = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')
export const ndjsonText = (aliases: readonly string[]): string =>
  `One JSON value per line, ended by a line feed. Each line is sent as soon as its value is available.${
    aliases.length === 0 ? '' : ` Where \`Accept\` asks for ${quoteWords(aliases)}, the same lines are sent with that type.`
  }`
export const eventStreamText = (heartbeat: number): string =>
  `Server-sent events (WHATWG HTML §9.2): the \`data\` of each is one JSON value. Each is sent as soon as it is available.${
    Number.isFinite(heartbeat) ? ` After ${heartbeat / 1_000} s without one, a comment is sent.` : ''
  }`
export const itemSchemaText = (): string => '`x-itemSchema` describes one value.'
export const basicAuthText = (): string => 'The user name and the password, joined by a colon and encoded in base64 (RFC 7617).'
export const bearerAuthText = (): string => 'The token, unchanged (RFC 6750).'
export const apiKeyText = (place: string, name: string): string =>
  `The key, in the ${place === 'query' ? 'query parameter' : place} \`${name}\`.`
export const optionalAuthText = (ignoresInvalid = false): string =>
  `A request without credentials is served as well. ${ignoresInvalid ? 'Wrong credentials count as none.' : 'One with wrong credentials is not.'}`
export const anonymousText = (): string => 'A request without credentials is served as well.'
export const oneOfCredentialsText = (): string => 'One of these:'
export const alternativesText = (): string => 'The first of these whose credentials a request has is verified.'
export const allCredentialsText = (): string => 'All of these:'
export const orText = (): string => 'Or:'
export const restText = (description = ''): string =>
  `${description && `${description.replace(/[^.!?]$/, '$&.')} `}One or more segments of the path, separated by slashes; only these slashes are not percent-encoded.`
export const errorExampleText = (line: string, status: number): string => `For example, ${line} is answered with ${status}:`
export const badRequestText = (): string => 'A part of the request is invalid; `errors` says which, and what was expected there.'
export const unauthorizedText = (): string => 'The credentials are missing or wrong.'
export const forbiddenText = (): string => 'The credentials are valid, and do not have the scopes that this takes.'
export const notAcceptableText = (): string => 'None of the types in `Accept` is available.'
export const contentTooLargeText = (maxBodySize = 'the server accepts'): string => `The body is larger than ${maxBodySize}.`
export const unsupportedMediaTypeText = (): string =>
  'The `Content-Type` is missing or not accepted, the charset is not UTF-8, or the body has a `Content-Encoding`.'
export const internalErrorText = (): string => 'An unexpected error occurred. Quote its `requestId` when you report it.'
export const optionalBodyText = (): string => 'The body is optional.'
export const tooLateText = (milliseconds = 0): string => `The response takes longer than ${milliseconds.toLocaleString('en-US')} ms.`
export const tooManyRequestsText = (): string =>
  'A quota of `RateLimit-Policy` is used up: `q` requests in `w` seconds. `violated-policies` of the problem names it.'
export const retryAfterText = (): string => 'After how many seconds the request can be sent again.'
export const rateLimitText = (): string => 'How many requests are left (`r`), and in how many seconds there are more (`t`).'
export const violatedPoliciesText = (): string => 'The names of the policies whose quota is used up.'
export const deprecatedText = (since: string | null, sunset: string | null): string =>
  `**Deprecated**${since === null ? '' : ` since ${since}`}.${sunset === null ? '' : ` It responds until ${sunset}.`}`
export const deprecationLinkText = (): string => 'What to use instead'
export const etagText = (): string => 'Changes exactly when the body changes.'
export const ifMatchText = (): string => 'The `ETag` that the resource must still have; `*` matches any resource.'
export const ifNoneMatchText = (): string => 'The `ETag` that the resource must not have; `*` matches any resource.'
export const idempotencyKeyText = (): string =>
  'A text of your choice that no other request has, such as a UUID. A request that is sent again with its key gets the first response again.'
export const keyInUseText = (): string => 'A request with this `Idempotency-Key` is still being processed.'
export const requestIdInUseText = (): string => 'A request with this id is still being processed.'
export const requestIdReusedText = (): string => 'Another request has had this id.'
export const webhookSignatureText = (): string =>
  'Standard Webhooks: `webhook-signature` is `v1,` and the HMAC-SHA256, in base64, of `webhook-id`, `webhook-timestamp` and the body, joined by full stops.'
export const webhooksText = (): string =>
  'The server sends these requests to the URLs of their receivers, by POST, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. A receiver verifies the signature before it uses the body.'
export const webhookDoneText = (): string => 'The webhook has arrived.'
export const webhookGoneText = (): string => 'The receiver wants no further attempts.'
export const webhookRetriedText = (): string =>
  'The server sends the webhook again later, with the same `webhook-id`. It follows no redirect.'
export const deprecatedWebhookText = (): string => '**Deprecated**.'
export const webhookIdText = (): string => 'The id of the webhook. Each attempt to deliver it has the same.'
export const webhookTimestampText = (): string => 'The time of the attempt, in seconds since 1970.'
export const keyReusedText = (): string => 'Another request has had this `Idempotency-Key`.'
export const notModifiedText = (): string => 'The resource still has an `ETag` of `If-None-Match`.'
export const preconditionFailedText = (): string => 'The resource does not meet `If-Match` or `If-None-Match`.'
export const preconditionRequiredText = (): string => 'The request has no `If-Match`.'
export const byteRangeText = (): string =>
  'The bytes to send: `bytes=0-99` for the first hundred, `bytes=100-` for those after them, `bytes=-100` for the last hundred. All are sent for several ranges, and for any other text.'
export const ifRangeText = (): string =>
  'The `ETag` or the `Last-Modified` that the file must still have for `Range` to apply; else all of it is sent.'
export const ifModifiedSinceText = (): string =>
  'The file is sent only if it has changed since. Ignored for a file without `Last-Modified`, and beside `If-None-Match`.'
export const ifUnmodifiedSinceText = (): string =>
  'The file is sent only if it has not changed since. Ignored for a file without `Last-Modified`, and beside `If-Match`.'
export const fileEtagText = (): string => 'Changes whenever the file changes.'
export const lastModifiedText = (): string => 'When the file changed last, where that is known.'
export const contentDispositionText = (): string => 'The name to save the file with, where it has one (RFC 6266).'
export const contentRangeText = (): string => 'The first and the last byte of the body, and the size of the file.'
export const unsatisfiedRangeText = (): string => 'The size of the file.'
export const partOfFileText = (): string => 'The bytes that `Range` asks for.'
export const fileNotModifiedText = (): string =>
  'The file has not changed: `If-None-Match` has its `ETag`, or `If-Modified-Since` its time.'
export const fileConditionFailedText = (): string => 'The file does not meet `If-Match` or `If-Unmodified-Since`.'
export const rangeNotSatisfiableText = (): string => 'The file has none of the bytes that `Range` asks for.'

export const rangeText = (range: '4XX' | '5XX' | 'default'): string =>
  range === '4XX' ? 'Other errors of the request' : range === '5XX' ? 'Other errors of the server' : 'Any other response'
