/** The description: everything that an API is written with. */
export { type Api, type NamedOperation, operations, prefix } from './api.ts'
export { type AuthScheme, type AuthSchemeDefinition, authScheme, type BasicCredentials, basic, bearer } from './auth.ts'
export { bool } from './bool.ts'
export { type Collection, type CollectionOptions, collection } from './collection.ts'
export { type Body, content } from './content.ts'
export { date } from './date.ts'
export { type AnyEndpoint, type Endpoint, type EndpointDefinition, type Examples, endpoint, type Input } from './endpoint.ts'
export { type ErrorClass, type ErrorOrigin, HttpError, type HttpErrorOptions } from './error.ts'
export * from './errors.ts'
export type { ConditionsOf, Etag, EtagHeader, GotOf, Precondition, PreconditionOf, RaisedOf } from './etag.ts'
export { flag } from './flag.ts'
export { form } from './form.ts'
export { html } from './html.ts'
export { int } from './int.ts'
export { json } from './json.ts'
export type { JsonSchema } from './jsonSchema.ts'
export { type NdjsonOptions, ndjson } from './lines.ts'
export { type Items, list } from './list.ts'
export { array } from './many.ts'
export { type Html, htmlTemplate } from './markup.ts'
export { type Content, type EncodedBody, type MediaType, type MediaTypeDefinition, mediaType } from './medium.ts'
export { type Mount, mount } from './mount.ts'
export { bytes } from './octets.ts'
export { oneOf } from './oneOf.ts'
export { optional } from './optional.ts'
export { type Codec, type CodecDefinition, codec, described, type Parameter, type ParameterInput } from './parameter.ts'
export { percentDecode, percentEncode } from './percent.ts'
export { createProblem, type Problem, type ProblemError } from './problem.ts'
export { type Issue, ParseError, parseError } from './refusal.ts'
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
} from './reply.ts'
export { formatPath, type Method, type RouteLine, type Segment } from './route.ts'
export type { Schema, StandardSchemaIssue, StandardSchemaResult } from './schema.ts'
export { text } from './text.ts'
