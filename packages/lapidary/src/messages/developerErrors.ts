/**
 * Messages for the programmer: what is wrong, then the cure. Each is an export of its own, so that a bundle contains only those that it can
 * throw. Import them as `import * as developerErrors from '../messages/developerErrors.ts'`.
 */
import { unrepresentableTypes } from './unrepresentableTypes.ts'

export const invalidRoute = (route: string): string =>
  `"${route}" is not a route. Write a method, one space and a path, such as "GET /users/:id".`
export const unknownMethod = (route: string, method: string): string =>
  `${route}: Node.js answers the method ${method} with 400, before a handler runs. Write GET, POST or another one of http.METHODS.`
export const invalidRouteSegment = (route: string, segment: string): string =>
  `"${route}" has the segment "${segment}", which is not supported. Write :name for one segment, a last *name for several, or mount("/files") for all paths below.`
export const unknownOption = (place: string, option: string, options: string): string =>
  `${place} has the unknown option "${option}". Use one of ${options}.`
export const expectedCodec = (route: string, place: string, got: string): string =>
  `${route}: ${place} is ${got}, expected a codec. Write int, text, optional(text) or codec({ … }). Schemas can describe only the bodies and the parameters of a request.`
export const expectedReply = (route: string, place: string, got: string): string =>
  `${route}: ${place} is ${got}, expected a reply. Write ok(User), noContent or reply(409, User).`
export const expectedErrorList = (route: string, got: string): string =>
  `${route}: errors is ${got}, expected a list of replies. Write [reply(404), reply(409, User)].`
export const duplicateErrorStatus = (route: string, status: number): string =>
  `${route}: its response and one of its errors have the status ${status}, so clients cannot tell them apart. Give one of them another status.`
export const mountInGroup = (caller: string, name: string, prefix: string): string =>
  `${caller}: the group has the mount "${name}" (${prefix}). A mount has no input. Move the mount out of the group, and put middleware around its handler by compose().`
export const guardInProvider = (route: string): string =>
  `provide(): the handler of ${route} has a guard, which runs before every provider. Put the provider within the guard: guard(api, check, provide(api, provider, handlers)).`
export const invalidGuardResult = (route: string, kind: string): string =>
  `The guard of ${route} returned ${kind}. Return a plain object with what it adds to the input, or nothing. To reject the request, throw an error, such as errors.forbidden().`
export const replacedByGuard = (route: string, name: string): string =>
  `The guard of ${route} returned an object with the member "${name}", which the input has already. Give the member another name. To reject the request, throw an error, such as errors.forbidden().`
export const hiddenGuard = (route: string): string =>
  `A function called the handler of ${route}, which has a guard. The server does not see the guard behind this function. Put the function within the guard: guard(api, check, wrap(handlers)).`
export const nextCalledTwice = (route: string): string =>
  `The provider around the handler of ${route} called next() twice. A handler runs once: call next() once.`
export const nextNotReturned = (route: string): string =>
  `The provider around the handler of ${route} did not return what next() resolves to. Return it, or throw an error.`
export const duplicateResponseStatus = (route: string, status: number): string =>
  `${route}: two of its responses have the status ${status}, so clients cannot tell them apart. Give one of them another status.`
export const undeclaredStatus = (route: string, status: number, declared: string): string =>
  `The handler of ${route} returned respond(${status}), but the endpoint declares ${declared}. Add reply(${status}) to its "response", or return another status.`
export const indistinguishableErrors = (route: string, status: number, member: string): string =>
  `${route}: two of its errors of status ${status} cannot be told apart, so the first would drop "${member}" of the second. Declare the one with more members first, or give both a member with different constants.`
export const expectedSchema = (): string =>
  'A body needs a Standard Schema or a media type. Write a schema of zod 4.2+ or ArkType 2.1.28+, or json, text, form or bytes. TypeBox, Effect and plain JSON Schema are not Standard Schemas by themselves.'
export const duplicateCapture = (route: string, name: string): string =>
  `${route} has the capture :${name} twice. Give each capture its own name.`
export const expectedItemCodec = (got: string): string =>
  `array(): the item is ${got}, expected a codec. Write int, text, uuid, file() or codec({ … }). A list of a schema is a schema, such as z.array(z.int()).`
export const codecWithoutCapture = (route: string, name: string): string =>
  `${route} has a codec for "${name}" but no capture :${name}. Write :${name} in the path, or remove the codec.`
export const invalidCaptureCodec = (route: string, name: string): string =>
  `${route}: a capture is one text that is always there. Give :${name} a codec such as int. The codec cannot be an array or a flag, cannot be optional, and cannot have a default.`
export const invalidCookieName = (route: string, name: string): string =>
  `${route}: "${name}" is not a cookie name. Use letters, digits, hyphens and underscores, such as session.`
export const invalidCookieCodec = (route: string, name: string): string =>
  `${route}: a cookie is one text. Give ${name} a codec such as int, optional(text) or bool: no array or flag.`
export const invalidCookieAttributes = (flaw: string): string => `cookie() has ${flaw}. Correct it, or leave it out.`
export const cookiePrefix = (name: string, needed: string): string =>
  `setCookie(): browsers reject the cookie "${name}" without ${needed}. Correct its attributes, or choose a name without this prefix.`
export const undeclaredCookie = (name: string, declared: string): string =>
  `The cookie "${name}" is not declared. Use one of ${declared}, or add it to setCookie().`
export const cookieTooLarge = (name: string, limit: number): string =>
  `The cookie "${name}" has more than ${limit} bytes together with its name, and browsers reject it. Store the value on the server, and send a key for it.`
export const misplacedSetCookie = (route: string, name: string): string =>
  `${route}: setCookie() is the header ${name} of a reply. Write it as the header "Set-Cookie".`
export const bodyOnGet = (route: string): string =>
  `${route} declares a body, but a body on GET has no meaning. Use query parameters, or POST.`
export const unreadableRequestBody = (route: string, type: string): string =>
  `${route} takes ${type} as its body, but that media type can only be written. Use json, form, text or bytes.`
export const invalidHeaderName = (route: string, name: string): string =>
  `${route}: "${name}" is not a header name. Use letters, digits and hyphens, such as X-Request-Id.`
export const duplicateHeader = (route: string, name: string): string =>
  `${route} declares the header "${name}" twice, with different capital letters. Capital letters do not matter in header names: declare it once.`
export const reservedHeader = (route: string, name: string): string =>
  `${route} declares the header "${name}", which the toolkit sets itself. Remove it.`
export const missingMediaType = (): string => 'content() needs at least one media type after the schema, such as content(User, json).'
export const missingJsonSchema = (vendor: string, reason: string): string => {
  const known = unrepresentableTypes[/^(.+) cannot be represented in JSON Schema$/.exec(reason)?.[1] ?? '']
  return known === undefined
    ? `This ${vendor} schema cannot produce its JSON Schema (${reason}). Use a schema whose "~standard" has jsonSchema (zod 4.2+ but not zod/mini or zod/v3, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.`
    : `This ${vendor} schema cannot produce its JSON Schema: JSON has no ${known[0]}. ${known[1]}`
}
export const danglingReference = (vendor: string, reference: string): string =>
  `The JSON Schema of this ${vendor} schema refers to "${reference}", but it contains no such schema. Add that schema to $defs, or write it instead of the reference.`
export const unrepresentableSchema = (place: string, member: string, flaw: string): string =>
  `${place}${member && `, at "${member}"`}: ${flaw}`
export const invalidStatus = (status: number): string =>
  `${status} is not a valid status. Use an integer from 200 to 599; errors have 4XX, 5XX and default as well.`
export const bodyNotAllowed = (status: number): string => `A response with status ${status} never has a body. Remove the body.`
export const invalidPrefix = (prefix: string): string =>
  `"${prefix}" is not a prefix. Write a path without a rest and without a trailing slash, such as "/users" or "/tenants/:tenant".`
export const invalidMountPath = (path: string): string =>
  `"${path}" is not a path of a mount. Write one without captures and without a trailing slash, such as "/static".`
export const mountBelowCapture = (path: string): string =>
  `The mount at "${path}" is below a prefix with captures. Move it out of the prefix, or declare an endpoint with a last *name.`
export const unreachableMount = (mount: string, endpoint: string, route: string): string =>
  `"${endpoint}" takes all paths of "${mount}" (${route}). Change the prefix of the mount, or the path of the endpoint.`
export const indistinctTemplates = (one: string, other: string, path: string): string =>
  `"${one}" and "${other}" are both ${path} in OpenAPI, which cannot tell one segment from several. Change the path of one of them.`
export const unknownOpenApiVersion = (version: unknown, versions: string): string =>
  `openapi(): openapi is ${JSON.stringify(version)}, expected a version of the OpenAPI Specification. Write one of ${versions}, or remove the option.`
export const invalidApi = (name: string): string => `${name} is not an endpoint, a mount, a webhook or a record of them.`
export const invalidWebhookName = (name: unknown): string =>
  `webhook(): ${JSON.stringify(name) ?? 'undefined'} is not the name of a webhook. Write words of letters, digits and underscores, separated by full stops, such as order.paid.`
export const webhookWithoutBody = (place: string, got: string): string =>
  `${place} has ${got} as its body. Write webhook('order.paid', { body: Order }).`
export const unsuitedWebhookBody = (place: string): string =>
  `${place}: the body of a webhook is sent and read whole, in each attempt. Use a schema, or media types such as json, form or text: no stream, no form with files, no download, nothing optional.`
export const duplicateWebhook = (one: string, other: string, name: string): string =>
  `"${one}" and "${other}" are both the webhook ${name}. Change the name of one of them.`
export const webhookBodyWithoutText = (place: string): string =>
  `${place}: the body is no text in UTF-8. A webhook is stored and sent as text: use JSON, a form or text.`
export const invalidSubscription = (place: string, got: string): string =>
  `${place}: the subscription is ${got}, expected a text that is not empty. Write the id of the subscription as a text, such as String(id).`
export const invalidWebhookUrl = (place: string, got: string): string =>
  `${place}: ${got} is not a URL that a webhook can be sent to. Write an absolute URL of http: or https:, without a user name or a password.`
export const signedBodyNotKept = (route: string): string =>
  `${route}: its auth scheme signs the body, and the signature belongs to the bytes that arrive. Add rawBody: true.`
export const signedIdempotent = (route: string): string =>
  `${route}: its auth scheme has an id for each request, which an Idempotency-Key would contradict. Remove "idempotent".`
export const signedStream = (route: string): string =>
  `${route}: the responses to signed requests are kept for further attempts, and one of them is a stream. Declare bodies that are read whole.`
export const duplicateRoute = (one: string, other: string, route: string): string =>
  `"${one}" and "${other}" both answer ${route}. Change the path or method of one of them.`
export const duplicateMount = (one: string, other: string, prefix: string): string =>
  `"${one}" and "${other}" are both mounted at ${prefix}. Change the prefix of one of them.`
export const missingHandler = (name: string, route: string): string =>
  `${route} ("${name}") has no handler. Add a function under "${name}" to the handlers.`
export const unknownHandler = (name: string): string =>
  `The handlers have "${name}", but the API has no such endpoint. Remove it, or add the endpoint to the API.`
export const invalidByteSize = (place: string, option: string, size: unknown): string =>
  `${place}: ${option} is ${String(size)}, expected a number of bytes from 0, or a size with its unit. Write '5 MB', or remove it.`
export const invalidCount = (place: string, count: unknown, least: number): string =>
  `${place} is ${typeof count === 'string' ? JSON.stringify(count) : String(count)}, expected an integer from ${least}. Write one, or remove the option.`
export const expectedFunction = (place: string, got: string): string => `${place} is ${got}, expected a function. Write one.`
export const expectedFunctionOption = (place: string, got: string): string =>
  `${place} is ${got}, expected a function. Write one, or remove the option.`
export const unknownRangeField = (place: string, field: unknown, fields: string): string =>
  `rangePagination(): ${place} is ${JSON.stringify(field)}, expected a field with ranges. Write one of ${fields}.`
export const invalidPaginationField = (place: string, field: string, word: string): string =>
  `${place} has the field ${JSON.stringify(field)}, which no ${word} can name. Begin it with a letter, and use letters, digits, - and _.`
export const unknownSort = (sort: unknown, sorts: string): string =>
  `cursorPagination(): default is ${JSON.stringify(sort)}, expected a field, or one with a minus sign before it. Write one of ${sorts}.`
export const limitAboveMaximum = (place: string, limit: number, maxLimit: number): string =>
  `${place}: limit is ${limit}, more than maxLimit, which is ${maxLimit}. Lower the limit, or raise maxLimit.`
export const sameMemberTwice = (place: string, name: string): string =>
  `${place}: body has the name ${JSON.stringify(name)} for two members. Give each member a name of its own.`
export const unclearItems = (count: number): string =>
  `paginate(): the body of a page has ${count} arrays, so that it is not clear which has the items. Write the option items: (page) => page.body.items.`
export const linkLosesQuery = (place: string, names: string): string =>
  `${place}: the query of the request has ${names}, which the links to other pages would lose. Write the option link: (query) => link(endpoint, { query: { ...input.query, ...query } }).`
export const unwritablePosition = (field: string): string =>
  `cursorPagination(): no item of the page has a cursor, because the codec of ${field} or of the key cannot read back what it writes. The items after it would be lost. Correct the codec, or the values.`
export const invalidRangeOrder = (place: string, order: unknown): string =>
  `${place} is ${JSON.stringify(order)}, expected an order. Write 'asc' or 'desc', or remove the option.`
export const invalidBound = (place: string, keyword: string, bound: unknown): string =>
  `${place} has a ${keyword} that is ${typeof bound === 'string' ? JSON.stringify(bound) : 'no number'}, so it limits nothing. Write a number, or remove it.`
export const unsendableConstant = (place: string, name: string, value: unknown): string =>
  `${place} has the header ${JSON.stringify(name)} with the value ${JSON.stringify(value) ?? String(value)}, which cannot be sent. Write a name of letters, digits and hyphens, and a text in Latin-1 without line breaks.`
export const invalidMediaType = (route: string, type: unknown): string =>
  `${route} has the media type ${JSON.stringify(type)}, expected a type and a subtype. Write one such as "text/csv" or "text/plain;charset=utf-8".`
export const invalidTime = (place: string, time: unknown, allowsZero: boolean): string =>
  `${place} is ${String(time)}, expected milliseconds ${allowsZero ? 'from 0 to' : 'above 0 and at most'} 2147483647, or Infinity for no limit. Write 5_000 for five seconds.`
export const invalidDelay = (place: string, time: unknown): string =>
  `${place} is ${String(time)}, expected milliseconds above 0 and at most 2147483647. Write 5_000 for five seconds.`
export const invalidLimit = (place: string, name: string, limit: unknown): string =>
  `${place}: ${name} is ${String(limit)}, expected a number from 0, or Infinity for no limit.`
export const unsuitedOptionalBody = (type: string): string =>
  `optional(): a body of type ${type} can be empty, so it cannot be optional as well. Remove optional(), and treat an empty body as none.`
export const optionalResponseBody = (status: number): string =>
  `The body of the reply ${status} is optional. Remove optional(), or declare two replies, one of them without a body.`
export const maxBodySizeWithoutBody = (route: string): string =>
  `${route} has the option maxBodySize, but takes no body. Remove the option, or declare a body.`
export const rawBodyWithoutBody = (route: string): string =>
  `${route}: rawBody must be true or absent, and needs a body. Write rawBody: true and declare a body, or remove the option.`
export const rawBodyParsed = (route: string): string =>
  `${route} needs the bytes of its body (rawBody), but another parser has already read them. Put toNodeListener() in front of express.json(), or use express.raw({ type: "*/*" }) for this path.`
export const rawBodyOfStream = (route: string, type: string): string =>
  `${route} has the option rawBody, but its body ${type} is not read as a whole. Remove the option, or declare a body such as bytes or json.`
export const expectedByteSource = (got: string): string =>
  `A stream of bytes needs a Blob, a Uint8Array or an iterable of Uint8Arrays, got ${got}. Encode texts with TextEncoder.`
export const streamWrittenTwice = (): string =>
  'This stream was already sent, and nothing of it is left. Create a new one for each call and each response.'
export const expectedDownload = (got: unknown): string =>
  `A download is ${got === null ? 'null' : `a${typeof got === 'object' ? 'n' : ''} ${typeof got}`}, expected a file. Return a Blob, a File or the result of sendFile(). If sendFile() finds no file, call fail(404).`
export const invalidMarkup = (place: string, got: unknown): string =>
  `${place} has a value that is ${got === null ? 'null' : `a${typeof got === 'object' ? 'n' : ''} ${typeof got}`}, expected a text, or what htmlTemplate returns. Write String(value) for its text.`
export const undeclaredDownloadType = (route: string, type: string, declared: string): string =>
  `${route}: the file has the type ${type}, but the endpoint declares ${declared}. Declare it, as in download("${type}"), or give the file a declared type.`
export const invalidDownloadType = (type: string): string =>
  `download(): ${JSON.stringify(type)} is no media type. Write one such as "image/png", or a range such as "image/*" or "*/*".`
export const rangeOutsideDownload = (route: string, type: string): string =>
  `${route} has the media type ${JSON.stringify(type)}, which is a range. Only a download() has a type that is known later. Name the media types.`
export const misplacedDownload = (route: string): string =>
  `${route}: download() is for the usual response of a GET, with status 200. Write ok(download(…)) there, and byteStream(…) elsewhere.`
export const etagOfDownload = (route: string): string => `${route} has an "etag", but a download already has an ETag. Remove "etag".`
export const statusOfDownload = (route: string, status: number): string =>
  `${route} declares the status ${status}, which the server sends for a download by itself. Remove it.`
export const headerOfDownload = (route: string, name: string): string =>
  `${route} declares the header ${name}, which the server handles for a download by itself. Remove it.`
export const missingSendFileRoot = (root: unknown): string =>
  `sendFile() has the root ${JSON.stringify(root) ?? String(root)}, expected a folder, such as "reports". Name one. Without this option, sendFile() takes any path as it is.`
export const invalidFileName = (name: unknown): string =>
  `sendFile() has a name that is a ${typeof name}, expected a text such as "report.pdf".`
export const invalidFileType = (type: string): string =>
  `file(): "${type}" is not a media type. Write it in lower case and without parameters: image/png, or image/* for all images.`
export const fileOutsideForm = (route: string, place: string): string =>
  `${route}: ${place} is a file. Only a form has files: write body: multipart({ … }).`
export const unlimitedFiles = (route: string, name: string): string =>
  `${route}: body.${name} is a list of files with a maxSize, but has no maxItems, so the size of the body has no limit. Write array(file({ … }), { maxItems: 10 }), or give the endpoint a maxBodySize.`
export const uploadHasEnded = (): string =>
  'The request has ended, so its files no longer exist. Read them before the handler returns, or copy what you keep.'
export const invalidCaptureValue = (route: string, name: string): string =>
  `${route}: the capture :${name} is missing, empty, "." or "..", or has such a segment. Give it another value.`
export const invalidMatchBase = (base: string): string =>
  `"${base}" is not a base of an API. Give match() a URL or a path without a query or a fragment, such as "https://example.org/api".`
export const invalidResponse = (route: string, flaw: string): string =>
  `${route} returned a value that its reply does not allow: ${flaw.replace(/\.$/, '')}. Correct the handler or the schema.`
export const invalidResponseHeader = (route: string, name: string, flaw: string): string =>
  `${route} returned the header ${name}, which its reply does not allow. ${flaw} Correct the handler or the codec.`
export const invalidEncodedBody = (type: string, got: string): string =>
  `The media type ${type} wrote ${got}, expected text, bytes or a stream of either.`
export const unsendableError = (status: number, flaw: string): string =>
  `An error of status ${status} cannot be sent: ${flaw}. Throw it with a status from 200 to 599, header names that are tokens, and printable Latin-1 values.`
export const invalidProblemStatus = (status: unknown): string =>
  `problem() has the status ${String(status)}, expected an integer from 400 to 599. A problem is an error.`
export const invalidProblemType = (type: unknown): string =>
  `problem() has the type ${JSON.stringify(type) ?? String(type)}, expected a URI reference of its own, such as "/problems/out-of-stock". A problem without one is reply(status).`
export const invalidProblemMembers = (type: string): string =>
  `problem(${JSON.stringify(type)}) has members that are no object with named members. Give it the schema of one object, such as z.object({ left: z.int() }).`
export const memberOfProblem = (type: string, name: string): string =>
  `problem(${JSON.stringify(type)}) declares the member "${name}", which every problem has. Give it another name.`
export const invalidDelimiter = (delimiter: string): string =>
  `withDelimiter() got ${JSON.stringify(delimiter)}, or a parameter of one value. Give it array(…) or a schema of an array, and ",", "|" or " ".`
export const misplacedDelimiter = (route: string, place: string): string =>
  `${route}: ${place} has a delimiter, and only a list in the query has one. Write array(…) there: values of a header stand between commas anyway.`
export const undelimitableValue = (route: string, name: string, delimiter: string): string =>
  `${route}: a value of the list ${name} is empty, or contains ${JSON.stringify(delimiter)}, which stands between two values. Send another value.`
export const rangeAsResponse = (route: string, range: string): string =>
  `${route}: response has the range ${range}. Move it to errors: a handler returns a response of one status.`
export const problemAsResponse = (route: string, type: string): string =>
  `${route} has the problem ${JSON.stringify(type)} among its responses. Move it into errors.`
export const mountInGuardedGroup = (prefix: string): string =>
  `group() with "auth" contains the mount ${prefix}, whose requests would not need the credentials. Move the mount out of the group, and check its requests in its handler.`
export const brokenError = (route: string, status: number, flaw: string): string =>
  `${route} threw an error ${status} that is not as it declares it: ${flaw.replace(/\.$/, '')}. Give the error the declared body and headers, as fail(${status}, { body, headers }) takes them, or declare a further reply(${status}).`
export const invalidClientBase = (): string =>
  'The base of a client must be the URL of a server without credentials and query: client(api, "https://example.org/api").'
export const unreadableResponse = (route: string): string =>
  `${route} responds only with media types that cannot be read. Give one of them a "reader", or call it with the option "accept".`
export const unsupportedRequestType = (route: string, type: string, types: string): string =>
  `${route} does not accept ${type}. Use one of ${types}.`
export const unsupportedResponseType = (route: string, type: string, types: string): string =>
  `${route} does not respond with ${type}. Use one of ${types}.`
const headerValueRule = 'must be printable Latin-1 text, without surrounding spaces or commas in list elements. Encode it.'
export const invalidRequestHeader = (route: string, name: string): string => `${route}: the header ${name} ${headerValueRule}`
export const cookiesInBrowser = (route: string): string =>
  `${route}: a browser sends its own cookies, and lets no script write them. Leave "cookies" out of the call.`
export const invalidRequestValue = (route: string, flaw: string): string =>
  `${route} cannot be called with this input: ${flaw.replace(/\.?$/, '.')}`
export const unsendableResponseHeader = (route: string, name: string): string => `${route}: the response header ${name} ${headerValueRule}`
/** Headers as the member of an object: `{ Location: '/stones/7' }`. */
const formatHeaderMembers = (names: string): string => {
  const members = names
    .split(', ')
    .map((name) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${/^location$/i.test(name) ? "'/stones/7'" : '…'}`)
  return `{ ${members.join(', ')} }`
}
export const missingResponseHeaders = (place: string, names: string, hasBody: boolean): string =>
  `${place} declares the response header${names.includes(', ') ? 's' : ''} ${names}: return withHeaders(${hasBody ? 'body, ' : ''}${formatHeaderMembers(names)}).`
export const missingResponseHeader = (route: string, name: string): string =>
  `${route} returned no header ${name}, which its reply declares. Add it to withHeaders(), such as ${formatHeaderMembers(name)}, or declare it with optional().`
export const unwritableExample = (place: string, type: string, reason: string): string =>
  `${place}: the example for ${type} cannot be written: ${reason.replace(/\.$/, '')}. Give the endpoint valid "examples", or give its schema some.`
export const invalidDeprecation = (route: string): string =>
  `${route} has a wrong "deprecated". Write true, or { since, sunset, link } with valid dates and a URL.`
export const sunsetBeforeSince = (route: string): string =>
  `${route} has a "sunset" before its "since" (RFC 9745 §4). Write a later "sunset", or an earlier "since".`
export const headerOfDeprecation = (route: string, name: string): string =>
  `${route} declares the header "${name}", which its "deprecated" sets. Remove one of the two.`
export const invalidRateLimit = (place: string): string =>
  `${place} has a wrong rate limit. Write { name: "default", quota: 100, window: 60 }, with a name of at most 64 letters, digits, ".", "_", ":" and "-" and integers from 1 to 999,999,999,999,999; also "by", which is "address", an auth scheme or a function, and "cost", a function.`
export const duplicatePolicy = (place: string, name: string): string =>
  `${place} has two rate limits "${name}", which would count together. Give one of them another name, or use one policy in both places.`
export const headerOfRateLimit = (route: string, name: string): string =>
  `${route} declares the header "${name}", which its "rateLimit" sets. Remove one of the two.`
export const invalidExamples = (route: string): string =>
  `${route} has wrong "examples". Write one, { body, response }, or several by name, { ruby: { body, response, summary } }. No name can be "body" or "response".`
export const schemaWithoutEncode = (vendor: string): string =>
  `schemaCodec(): this schema of ${vendor} has no method encode. Give it one: schemaCodec(schema, { encode: (value) => … }).`
export const oneWaySchema = (place: string, pointer: string, kind: string): string =>
  `${place}${pointer && `, at "${pointer}"`}: ${kind} only decodes, so schemaCodec() cannot encode it. Make it a codec, such as z.codec(z.string(), z.number(), { decode: Number, encode: String }).`
export const invalidDisposition = (disposition: unknown): string =>
  `download(): the disposition is ${JSON.stringify(disposition)}. Use 'attachment' or 'inline'.`
export const invalidMeta = (route: string, kind: string): string =>
  `${route}: meta is ${kind}. Give it an object, such as { role: 'admin' }.`
export const invalidTags = (route: string): string =>
  `${route} has wrong "tags". Write a list of texts that are not empty, such as ["users"].`
export const invalidEtagOption = (route: string): string =>
  `${route} has a wrong "etag". Write true on a GET, and "optional" or "required" on a change at the same path.`
export const etagNotSupported = (route: string): string =>
  `${route} has an "etag", which needs a reply of status 200 with one body that is not a stream. Remove "etag", or change the reply.`
export const missingEtagOnGet = (route: string): string =>
  `${route} has an "etag", but the GET of its path has none. Add "etag: true" to that GET, or remove "etag".`
export const uncheckedPrecondition = (route: string): string =>
  `${route} returned without checking its precondition. Call precondition(current) in the transaction that writes, with the value that a GET would return.`
export const invalidIdempotent = (route: string): string =>
  `${route} has a wrong "idempotent". Write "required" or "optional" on POST or PATCH; GET, PUT and DELETE are idempotent without it.`
export const idempotentStream = (route: string): string =>
  `${route} is "idempotent", but has a stream or a form with files, which cannot be kept and compared. Remove "idempotent", or declare bodies that are read whole.`
export const notPositive = (place: string, got: unknown): string =>
  `${place} is ${String(got)}, expected a finite number above 0. Write one, or remove the option.`
export const responseNotKept = (route: string, length: number, limit: number): string =>
  `${route} is "idempotent", but its response has ${length} bytes, and at most ${limit} can be kept. The response was sent. If the client sends the same request again, it gets 422. Raise "maxResponseSize" in the option "idempotency" of serve(), or send a shorter response, such as a link.`
export const invalidIdentity = (route: string): string =>
  `${route} is "idempotent", but "identify" returned a value that does not distinguish the user from all others. Return an id, or plain JSON whose members all have values.`
export const unidentifiedUser = (route: string): string =>
  `${route} is "idempotent", but its user is not plain JSON, or contains only booleans, so the server cannot distinguish one user from another. Let verify return an id, or give serve() { idempotency: { identify: (user: User) => user.id } }.`
export const invalidIdempotencyKey = (route: string): string =>
  `${route}: an idempotencyKey is 1 to 200 printable ASCII characters. Give a UUID, or none.`
export const missingStaticRoot = (): string =>
  'serveStatic() has an empty root. Name the folder to serve, such as serveStatic("./static-files").'
export const unsendableStatus = (status: unknown): string =>
  `The response has the status ${typeof status === 'string' ? JSON.stringify(status) : String(status)}, expected an integer from 200 to 999. Return the status of a final response.`
export const invalidEventName = (name: string): string =>
  `events() has an event named ${JSON.stringify(name)}, expected a text without line breaks that is not empty. Rename it.`
export const noEvents = (): string => 'events() has no event. Give it a schema, or a schema for each name, such as events({ cut: Stone }).'
export const invalidHeartbeat = (heartbeat: unknown): string =>
  `events() has the heartbeat ${String(heartbeat)}, expected milliseconds from 1 to 2147483647. Write 15_000, or Infinity for none.`
export const invalidEvent = (got: string): string => `A stream of events yielded ${got}, expected an object such as { data }.`
export const undeclaredEvent = (name: string, declared: string): string =>
  `A stream of events yielded the event ${name}, expected ${declared}. Correct the name, or declare it: events({ name: Schema }).`
export const invalidEventId = (got: string): string =>
  `The id of an event is ${got}, expected a text without line breaks, NUL and lone surrogates. Encode it.`
export const invalidEventRetry = (got: string): string =>
  `The "retry" of an event is ${got}, expected milliseconds, an integer from 0. Round it, or remove it.`
export const illFormedText = (): string =>
  'A text with a lone surrogate cannot be encoded as UTF-8. Call toWellFormed() on it, or send it in JSON, which can escape it.'
export const invalidFormValue = (name: string): string =>
  `A form cannot contain the value of "${name}": expected a text, a number, a boolean or a list of these. Remove it, or send JSON.`
export const indivisiblePart = (name: string): string =>
  `multipartStream(): "${name}" is a list that can only be read as a whole. Write array(…) of a codec, or use multipart().`
export const filePassed = (name: string): string =>
  `The file "${name}" of a form can no longer be read: the handler has asked for the next part, or has left the loop. Read the file before the next step of the loop, or use multipart().`
export const fileReadTwice = (name: string): string =>
  `The file "${name}" of a form was already read, and its bytes are gone. Read it once, or use multipart().`
export const missingFormPart = (name: string): string => `The FormData has no "${name}". Append it, or declare it as optional.`
export const wrongFormPart = (name: string, isFile: boolean): string =>
  `"${name}" of the FormData is ${isFile ? 'a text, expected a file' : 'a file, expected a text'}. Append ${isFile ? 'a File or a Blob' : 'a string'}.`
export const unencodableValue = (value: unknown, expected: string): string => `${String(value)} cannot be written: expected ${expected}.`
export const contradictoryOptions = (codec: string, flaw: string): string =>
  `The options of ${codec} contradict each other: ${flaw} Correct the bounds, or give a default and examples within them.`
export const contradictoryItems = (minItems: number, maxItems: number | undefined): string =>
  `array() has minItems ${minItems} and maxItems ${maxItems}, so no list fits. Give minItems from 0, and at most maxItems.`
export const failingErrorHandler = (): string => 'The function "onError" has failed. Correct it. The error that it was called with follows.'
export const unprintableError = (): string =>
  'An error throws while it is printed. Give serve() an "onError" that can print it, or throw another error.'
export const unexpectedPromise = (what: string): string =>
  `${what} returned a promise, expected a value. Make it synchronous: nothing waits for it.`
export const invalidHttpResponse = (got: string): string =>
  `A handler returned ${got}, expected an object with "status", "headers" and "body". Return one, or a promise of one.`
export const invalidProblemFormat = (): string =>
  'The function "format" returned a value that cannot be sent. Return { type, body }: a media type and a text.'
export const untextualValue = (what: string): string =>
  `A parameter is a text, which cannot hold ${what}. Use strings, numbers, booleans, null, enumerations, lists of them, or a codec; in a query also an object of them.`
export const ambiguousText = (values: string): string =>
  `The same text would stand for ${values}. Keep one of them, or use a codec. Make the parameter optional instead of allowing null.`
export const invalidParameterSchema = (place: string, flaw: string): string => `${place}: ${flaw} Or describe it by codecs.`
export const captureWithoutMember = (route: string, name: string): string =>
  `${route}: the schema of its captures has no member "${name}". Add it, or give each capture its own codec or schema.`
export const invalidHealthChecks = (): string =>
  'healthHandlers(): ready has to be an object of functions by their names. Write { database: () => store.ping() }.'
