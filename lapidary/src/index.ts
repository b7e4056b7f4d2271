/** The public door of the description: everything that an API is written with. */
export { type Api, under, type Walked, walk } from './describe/api.ts'
export { type Auth, type BasicCredentials, basic, bearer, type SchemeDefinition, scheme } from './describe/auth.ts'
export { bool } from './describe/bool.ts'
export { type Collection, type CollectionNames, collection } from './describe/collection.ts'
export { type Body, content } from './describe/content.ts'
export { date } from './describe/date.ts'
export { type AnyEndpoint, type Endpoint, type EndpointDefinition, type Examples, endpoint, type Input } from './describe/endpoint.ts'
export * from './describe/error.ts'
export { flag } from './describe/flag.ts'
export { form } from './describe/form.ts'
export { html } from './describe/html.ts'
export { int } from './describe/int.ts'
export { json } from './describe/json.ts'
export type { JsonSchema } from './describe/jsonSchema.ts'
export { lines } from './describe/lines.ts'
export { type Items, list } from './describe/list.ts'
export { many } from './describe/many.ts'
export { type Markup, markup } from './describe/markup.ts'
export { type Content, type Medium, type MediumDefinition, medium, type Written } from './describe/medium.ts'
export { type Mount, mount } from './describe/mount.ts'
export { octets } from './describe/octets.ts'
export { oneOf } from './describe/oneOf.ts'
export { optional } from './describe/optional.ts'
export { described, type Given, type Parameter, type Scalar, type ScalarDefinition, scalar } from './describe/parameter.ts'
export { percentDecoded, percentEncoded } from './describe/percent.ts'
export { type Problem, type ProblemError, problem } from './describe/problem.ts'
export { expected, type Flaw, Refusal } from './describe/refusal.ts'
export {
  created,
  type HeaderCodecs,
  noContent,
  ok,
  partial,
  type Reply,
  type ReplyOptions,
  reply,
  type WithHeaders,
  withHeaders,
} from './describe/reply.ts'
export { type Method, pathOf, type RouteLine, type Segment } from './describe/route.ts'
export type { Issue, Schema, Verdict } from './describe/schema.ts'
export { text } from './describe/text.ts'
