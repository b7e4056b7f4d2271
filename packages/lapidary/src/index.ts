/** `lapidary`: describes an HTTP API as typed values. */
export { type Api, type Mount, mount, type NamedOperation, operations, type Prefixed, prefix } from './contract/api.ts'
export { type AnyAuth, both, either, type UserOf } from './contract/auth/alternatives.ts'
export { apiKey } from './contract/auth/apiKey.ts'
export { type AnyAuthScheme, type Auth, type AuthAlternatives, type AuthScheme, authScheme } from './contract/auth/authScheme.ts'
export { type BasicCredentials, basic } from './contract/auth/basic.ts'
export { bearer, oauth2, openIdConnect } from './contract/auth/bearer.ts'
export { type ReceivedWebhook, type WebhookCredentials, webhookSignature } from './contract/auth/webhookSignature.ts'
export { type Collection, collection } from './contract/collection.ts'
export type { Deprecation } from './contract/deprecation.ts'
export { type AnyEndpoint, type Endpoint, type EndpointDefinition, endpoint } from './contract/endpoint.ts'
export type { EndpointMeta, EndpointParts } from './contract/endpointParts.ts'
export type { NoArguments, NoInput } from './contract/endpointTypes.ts'
export type { EtagHeader, Precondition } from './contract/etag.ts'
export type { Examples } from './contract/examples.ts'
export { type Grouped, type GroupOptions, group, type TypesInGroup } from './contract/group.ts'
export { type HealthEndpoints, healthEndpoints } from './contract/healthEndpoints.ts'
export type { Idempotent } from './contract/idempotency.ts'
export { list } from './contract/list.ts'
export { type ByteSource, byteStream, bytes } from './contract/media/bytes.ts'
export { type Body, content } from './contract/media/content.ts'
export { type DownloadSource, download } from './contract/media/download.ts'
export { type EventName, events, type NamedEvent, type ServerSentEvent } from './contract/media/events.ts'
export { form } from './contract/media/form.ts'
export { type Html, html, htmlTemplate } from './contract/media/html.ts'
export type { Items } from './contract/media/itemStreams.ts'
export { json } from './contract/media/json.ts'
export {
  type Content,
  type EncodedBody,
  type MediaType,
  type MediaTypeDefinition,
  mediaType,
  type OptionalBody,
} from './contract/media/mediaType.ts'
export { applyMergePatch, type MergePatch, mergePatch } from './contract/media/mergePatch.ts'
export { type FormPart, multipart, multipartStream } from './contract/media/multipart.ts'
export { ndjson } from './contract/media/ndjson.ts'
export { type TextCodec, text } from './contract/media/text.ts'
export { type OptionalAuthOptions, type OptionalText, optional } from './contract/optional.ts'
export { array } from './contract/parameters/array.ts'
export { bool } from './contract/parameters/bool.ts'
export { date } from './contract/parameters/date.ts'
export { dateTime } from './contract/parameters/dateTime.ts'
export { decimal } from './contract/parameters/decimal.ts'
export { withDelimiter } from './contract/parameters/delimiter.ts'
export { type FilePart, file, type StreamedFile, type UploadedFile } from './contract/parameters/file.ts'
export { type FlagParameter, flag } from './contract/parameters/flag.ts'
export { type IntCodec, int } from './contract/parameters/int.ts'
export { oneOf } from './contract/parameters/oneOf.ts'
export {
  type AnyParameter,
  type Codec,
  type CodecDefinition,
  codec,
  type Delimiter,
  type Parameter,
  type ParameterInput,
  type ParameterOptions,
  type ParameterRecord,
  type ReadValues,
  type SimpleCodec,
  type WrittenValues,
} from './contract/parameters/parameter.ts'
export {
  type Cookie,
  type CookieAttributes,
  type CookieRecord,
  cookie,
  type SetCookie,
  type SetCookieValues,
  setCookie,
} from './contract/parameters/setCookie.ts'
export { uuid } from './contract/parameters/uuid.ts'
export { type ProblemOfType, problem } from './contract/problem.ts'
export type { RateLimit, RateLimitPolicy } from './contract/rateLimit.ts'
export {
  type AnyReply,
  type Created,
  created,
  type Fail,
  type LocationHeader,
  type NoContent,
  noContent,
  ok,
  partialContent,
  type Reply,
  reply,
  respond,
  type StatusRange,
  type StatusValue,
  seeOther,
  type WithHeaders,
  withHeaders,
} from './contract/reply.ts'
export { schemaCodec } from './contract/schemaCodec.ts'
export { type AnyWebhook, receiveWebhook, type Webhook, type WebhookDefinition, webhook } from './contract/webhook.ts'
export { type ErrorFactory, errors } from './http/errors.ts'
export type { FileSource } from './http/fileResponse.ts'
export { type ErrorHeaders, HttpError, type HttpErrorOptions, isHttpError, type Problem, type ProblemError } from './http/httpError.ts'
export type { ByteSize } from './http/limits.ts'
export type { Method, RouteLine, Segment } from './http/route.ts'
export type { JsonSchema } from './json-schema/jsonSchema.ts'
export { type Issue, isParseError, ParseError, parseError } from './json-schema/parseError.ts'
export type { Schema, SchemaCodec, StandardSchemaResult } from './json-schema/standardSchema.ts'
