/** The description: everything that an API is written with. */
export { type Api, under, type Walked, walk } from './api.ts'
export { type Auth, type BasicCredentials, basic, bearer, type SchemeDefinition, scheme } from './auth.ts'
export { bool } from './bool.ts'
export { type Collection, type CollectionOptions, collection } from './collection.ts'
export { type Body, content } from './content.ts'
export { date } from './date.ts'
export { type AnyEndpoint, type Endpoint, type EndpointDefinition, type Examples, endpoint, type Input } from './endpoint.ts'
export { type ErrorClass, HttpError, type HttpErrorOptions, type Received } from './error.ts'
export * from './errors.ts'
export type { ConditionsOf, Etag, GotOf, Precondition, PreconditionOf, RaisedOf, Tagged } from './etag.ts'
export { flag } from './flag.ts'
export { form } from './form.ts'
export { html } from './html.ts'
export { int } from './int.ts'
export { json } from './json.ts'
export type { JsonSchema } from './jsonSchema.ts'
export { type LinesOptions, lines } from './lines.ts'
export { type Items, list } from './list.ts'
export { many } from './many.ts'
export { type Markup, markup } from './markup.ts'
export { type Content, type Medium, type MediumDefinition, medium, type Written } from './medium.ts'
export { type Mount, mount } from './mount.ts'
export { octets } from './octets.ts'
export { oneOf } from './oneOf.ts'
export { optional } from './optional.ts'
export { described, type Given, type Parameter, type Scalar, type ScalarDefinition, scalar } from './parameter.ts'
export { percentDecoded, percentEncoded } from './percent.ts'
export { type Problem, type ProblemError, problem } from './problem.ts'
export { expected, type Flaw, Refusal } from './refusal.ts'
export {
  type AnyReply,
  created,
  type HeaderCodecs,
  noContent,
  ok,
  type PlainReplyOptions,
  partial,
  type Reply,
  type ReplyOptions,
  reply,
  type WithHeaders,
  withHeaders,
} from './reply.ts'
export { type Method, pathOf, type RouteLine, type Segment } from './route.ts'
export type { Issue, Schema, Verdict } from './schema.ts'
export { text } from './text.ts'
