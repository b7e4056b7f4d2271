/** What `@lapidary/testing` and `@lapidary/cli` use besides the public entry points. It may change in any version. */
export { getCauseMessage } from './client/errors.js'
export { createCallRequest, parseBaseUrl } from './client/request.js'
export { isOperation } from './contract/api.js'
export { getApiIndex } from './contract/apiIndex.js'
export { createBodyDecoders, isUtf8Charset } from './contract/bodyDecoders.js'
export { removeEtag } from './contract/etag.js'
export { getEssences, isNegotiated } from './contract/media/content.js'
export { getBuiltInErrors, requestSteps } from './contract/steps.js'
export { documentSecurity } from './docs/section.js'
export { collectBytes } from './http/chunks.js'
export { isHeaderName, isHeaderValue, isSetCookie, splitHeaderList } from './http/headerFields.js'
export { getEssence, parseMediaType } from './http/mediaTypeParser.js'
export { forEachPair } from './http/percentEncoding.js'
export { isPromise } from './http/promises.js'
export { fillPath, getPathShape, parsePath } from './http/route.js'
export { createRouter } from './http/router.js'
export { getReasonPhrase, isNullBodyStatus } from './http/status.js'
export { decodeUtf8, encodeUtf8 } from './http/utf8.js'
export {
  annotationKeywords,
  definitionKeywords,
  getMembers,
  getTypes,
  isJsonObject,
  resolvePointer,
  resolveSchema,
  schemaArrayKeywords,
  schemaKeywords,
  schemaMapKeywords,
} from './json-schema/jsonSchema.js'
export { parseJsonText } from './json-schema/jsonText.js'
export { encodePointerStep } from './json-schema/parseError.js'
export { getJsonSchema } from './json-schema/standardSchema.js'
export { describeSchema, hasType, isOutOfBounds, isValid, toParseError } from './json-schema/validate.js'
export { resolveUrl } from './links/resolveUrl.js'
export * as developerErrors from './messages/developerErrors.js'
export { mockDetail, problemDetail } from './messages/problemMessages.js'
export { getPaging } from './pagination/declaration.js'
export { createApiHandler } from './server/serve.js'
