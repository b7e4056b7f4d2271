/** What the other packages of Lapidary use besides the public entry points. It may change in any version. */
export { declaredForms, getCauseMessage } from './client/errors.ts'
export { addQuery, createCallRequest, parseBaseUrl } from './client/request.ts'
export {
  type Code,
  call,
  getter,
  lineWidth,
  listCode,
  member,
  method,
  prefixCode,
  record,
  write,
  writeImport,
  writeName,
  writeText,
  writeValue,
} from './code/layout.ts'
export { isMount, listWebhooks, type NamedWebhook } from './contract/api.ts'
export { getApiIndex } from './contract/apiIndex.ts'
export {
  getCredentialForm,
  getCredentialPlace,
  isAuthOptional,
  listAuthSchemes,
  listCredentialAlternatives,
} from './contract/auth/alternatives.ts'
export { type AuthRequirement, createCombinedAuth } from './contract/auth/authScheme.ts'
export { listScopeRequirements } from './contract/auth/challenges.ts'
export { webhookHeaders } from './contract/auth/webhookSignature.ts'
export { createBodyDecoders, isUtf8Charset } from './contract/bodyDecoders.ts'
export { getBuiltInErrors } from './contract/builtInErrors.ts'
export { hasConventions, setConventions } from './contract/conventions.ts'
export { getDeprecationHeaders } from './contract/deprecation.ts'
export type { TypeOf } from './contract/endpoint.ts'
export type { HandlerOutput } from './contract/endpointTypes.ts'
export { removeEtag } from './contract/etag.ts'
export { getParameterExamples, listBodyExamples, listExamples } from './contract/exampleValues.ts'
export { idempotencyKeyHeader } from './contract/idempotency.ts'
export { isByteStream } from './contract/media/bytes.ts'
export { getEssences } from './contract/media/content.ts'
export { isReadable } from './contract/media/mediaType.ts'
export { mergeJson } from './contract/media/mergePatch.ts'
export { encodeMultipart, listFormEntries, toFormValue } from './contract/media/multipart.ts'
export { getFileLimits } from './contract/parameters/file.ts'
export { canJoinTexts, getListItem, joinTexts, type Nothing, type ParameterValues } from './contract/parameters/parameter.ts'
export { combineValues, joinValues } from './contract/parameters/parameterGroups.ts'
export { createCaptureReader, createQueryReader, isReadError, type ReadResult } from './contract/parameters/readers.ts'
export { createSchemaParameter, toInputParameter } from './contract/parameters/schemaParameter.ts'
export { createTextFormat } from './contract/parameters/schemaTexts.ts'
export { getSetCookie } from './contract/parameters/setCookie.ts'
export { findReplies, getStatusKey, isStatusValue } from './contract/reply.ts'
export { listVaryNames } from './contract/vary.ts'
export { getSentContent } from './contract/webhook.ts'
export { toWireApi, toWireEndpoint } from './contract/wireEndpoint.ts'
export { getZodInternals, listParts } from './contract/zodSchema.ts'
export { collectBytes } from './http/chunks.ts'
export { formatCookiePair, parseSetCookie } from './http/cookies.ts'
export { decodeUtf8, encodeUtf8 } from './http/encodings.ts'
export { checkFunctions, checkOptions, describeKind } from './http/functions.ts'
export { filterHeaders, getHeader, isHeaderName, isHeaderValue, isSetCookie, splitHeaderList } from './http/headerFields.ts'
export { isTime, parseByteSize, requireTime, toTimerDelay } from './http/limits.ts'
export { getByMediaType, getEssence, isInMediaRange, isJsonEssence, isMediaRange, parseMediaType } from './http/mediaTypes.ts'
export { createNegotiator } from './http/negotiation.ts'
export { percentDecode, percentEncode } from './http/percentEncoding.ts'
export { isPromise } from './http/promises.ts'
export { ChangedRequest, RequestView } from './http/requestView.ts'
export { fillPath, formatPath, getPathShape, getRestName, isPortableMethod, parsePath } from './http/route.ts'
export { isNullBodyStatus } from './http/status.ts'
export { escapeRegExp } from './json-schema/escapeRegExp.ts'
export { describeSchema, findInvalidPlace, findSchemaIssue, isValid, toParseError } from './json-schema/invalidPlaces.ts'
export {
  annotationKeywords,
  getBound,
  getKeywordKind,
  getTypes,
  isJsonObject,
  isSameJson,
  isSameSchema,
  mapKeyword,
  neverSchema,
  sortMembers,
  toCanonicalJson,
} from './json-schema/jsonSchema.ts'
export { parseJsonText } from './json-schema/jsonText.ts'
export { decodePointerStep, encodePointerStep } from './json-schema/parseError.ts'
export { createPatternExamples, hasSmallTexts } from './json-schema/patternExample.ts'
export { compilePattern, type PatternMatcher, setPatternMatcher, toRegExp } from './json-schema/patterns.ts'
export { isCompoundDocument, resolvePointer, resolveReference } from './json-schema/references.ts'
export { flattenAllOf, parseSchema, type SchemaNode, splitTypes } from './json-schema/schemaNode.ts'
export { createSchema, getEncoder, getJsonSchema, getSchemaParts } from './json-schema/standardSchema.ts'
export { TextScanner } from './json-schema/textScanner.ts'
export { toUnicodePattern } from './json-schema/unicodePattern.ts'
export { hasSchemaType, isOutOfBounds, Validator, type Validity } from './json-schema/validator.ts'
export { writeTexts } from './light/lightClient.ts'
export { resolveUrl } from './links/match.ts'
export { contentTooLargeText, optionalAuthText, restText, tooLateText } from './messages/documentationTexts.ts'
export { createCodingNegotiator, decode as decodeCoding } from './middleware/contentCodings.ts'
export { problemSchema, quotaProblemSchema } from './openapi/responseObjects.ts'
export { getNextInput, getPageItems, mergeParts } from './pagination/paginate.ts'
export { parseSecrets, sign as signWebhook } from './webhooks/webhookSecrets.ts'
