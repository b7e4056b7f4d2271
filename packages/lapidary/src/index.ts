/** `lapidary`: the words that describe an HTTP API. */
export { type Api, type Mount, mount, type NamedOperation, operations, prefix } from './contract/api.ts'
export { type AuthScheme, type AuthSchemeDefinition, authScheme, type BasicCredentials, basic, bearer } from './contract/auth.ts'
export { type Collection, type CollectionOptions, collection } from './contract/collection.ts'
export { type AnyEndpoint, type Endpoint, type EndpointDefinition, type Examples, endpoint } from './contract/endpoint.ts'
export type { AnyAuthScheme, AnyBody, NoArguments, NoInput, ParameterRecord } from './contract/endpointTypes.ts'
export type { ConditionsOf, Etag, EtagHeader, Precondition, PreconditionOf, RaisedOf, TaggedReply } from './contract/etag.ts'
export { type Items, list } from './contract/list.ts'
export { bytes } from './contract/media/bytes.ts'
export { type Body, content } from './contract/media/content.ts'
export { form } from './contract/media/form.ts'
export { type Html, html, htmlTemplate } from './contract/media/html.ts'
export { json } from './contract/media/json.ts'
export { type Content, type EncodedBody, type MediaType, type MediaTypeDefinition, mediaType } from './contract/media/mediaType.ts'
export { type NdjsonOptions, ndjson } from './contract/media/ndjson.ts'
export type { Pagination } from './contract/pagination.ts'
export { array } from './contract/parameters/array.ts'
export { bool } from './contract/parameters/bool.ts'
export { date } from './contract/parameters/date.ts'
export { flag } from './contract/parameters/flag.ts'
export { int } from './contract/parameters/int.ts'
export { oneOf } from './contract/parameters/oneOf.ts'
export { optional } from './contract/parameters/optional.ts'
export { type Codec, type CodecDefinition, codec, described, type Parameter, type ParameterInput } from './contract/parameters/parameter.ts'
export { text } from './contract/parameters/text.ts'
export {
  type AnyReply,
  created,
  type HeaderCodecs,
  noContent,
  ok,
  type PlainReplyOptions,
  partialContent,
  type Reply,
  type ReplyOptions,
  reply,
  type WithHeaders,
  withHeaders,
} from './contract/reply.ts'
export { type ErrorFactories, type ErrorFactory, errors } from './http/errors.ts'
export { type ErrorOrigin, HttpError, type HttpErrorOptions, isHttpError } from './http/httpError.ts'
export type { Problem, ProblemError } from './http/problemDetails.ts'
export type { Method, RouteLine, Segment } from './http/route.ts'
export type { JsonSchema } from './json-schema/jsonSchema.ts'
export { type Issue, isParseError, ParseError, parseError } from './json-schema/parseError.ts'
export type { Schema, StandardSchemaIssue, StandardSchemaResult } from './json-schema/standardSchema.ts'
