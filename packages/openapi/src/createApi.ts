/** Makes the API of the plans of a document. */
import {
  type AnyEndpoint,
  type AnyParameter,
  type AnyReply,
  type AnyWebhook,
  array,
  type Body,
  bytes,
  type Content,
  content,
  endpoint,
  events,
  file,
  flag,
  form,
  json,
  mediaType,
  multipart,
  ndjson,
  optional,
  reply,
  type Schema,
  text,
  webhook,
} from 'lapidary'
import { createSchemaParameter } from 'lapidary/internal'
import type { AuthReader } from './auth.ts'
import type { BodyPlan, MediaPlan } from './bodies.ts'
import type { FormPartPlan } from './formParts.ts'
import { toStandardSchema } from './jsonSchema.ts'
import type { EndpointPlan } from './operations.ts'
import type { ParameterPlan } from './parameters.ts'
import type { ReplyPlan } from './responses.ts'
import type { WebhookPlan } from './webhooks.ts'

/** The schema of a parameter. One that can be left out accepts `undefined`, and is its default then. */
const toParameterSchema = ({ schema, isRequired }: ParameterPlan): Schema =>
  toStandardSchema(schema, isRequired ? undefined : { value: schema.default })

const createParameter = (plan: ParameterPlan): AnyParameter | Schema => {
  if (plan.kind === 'flag') return flag
  return plan.kind === 'object' ? toParameterSchema(plan) : createSchemaParameter(toParameterSchema(plan))
}

/** The parameters of a place; undefined where it has none. */
const createParameters = (plans: readonly ParameterPlan[]): Record<string, AnyParameter | Schema> | undefined =>
  plans.length === 0 ? undefined : Object.fromEntries(plans.map((plan) => [plan.name, createParameter(plan)]))

function createFormPart({ kind, schema, isRequired, types }: FormPartPlan): AnyParameter {
  if (kind === 'text') return createSchemaParameter(toStandardSchema(schema, isRequired ? undefined : { value: schema.default }))
  const { description } = schema
  const one = file({ types, ...(description !== undefined && { description }) })
  const { minItems, maxItems } = schema
  const part: AnyParameter =
    kind === 'file' ? one : array(one, { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) })
  return isRequired || (kind === 'files' && minItems === undefined) ? part : optional(part)
}

/** A media type of any values: those of one body agree on theirs. */
type AnyMediaType = Content<unknown, unknown>['media'][number]

/** A media type of a value. */
function createMediaType(plan: MediaPlan): AnyMediaType {
  if (plan.kind === 'form') return form as AnyMediaType
  if (plan.kind === 'json')
    return (/^application\/json\b/i.test(plan.type) ? json : mediaType({ ...json, types: [plan.type] })) as AnyMediaType
  if (plan.kind === 'text') return (plan.type === text.types[0] ? text : mediaType({ ...text, types: [plan.type] })) as AnyMediaType
  const type = 'type' in plan ? plan.type : 'application/octet-stream'
  return (type === bytes.types[0] ? bytes : mediaType({ ...bytes, types: [type] })) as AnyMediaType
}

/** The body of a plan. */
function createBody({ media, schema }: BodyPlan): Body<unknown, unknown> {
  const [first] = media
  if (first.kind === 'multipart')
    return multipart(Object.fromEntries(first.parts.map((part) => [part.name, createFormPart(part)]))) as Content<unknown, unknown>
  const value = schema && toStandardSchema(schema)
  if (first.kind === 'ndjson') return ndjson(value ?? toStandardSchema({})) as Content<unknown, unknown>
  if (first.kind === 'events') {
    const [event, ...others] = first.events.map(({ name, schema: data }) => [name, toStandardSchema(data)] as const)
    if (event?.[0] === undefined) return events(event?.[1] ?? toStandardSchema({})) as Content<unknown, unknown>
    return events(Object.fromEntries([event, ...others]) as Record<string, Schema>) as Content<unknown, unknown>
  }
  const types = media.map(createMediaType)
  if (value !== undefined) return content(value, ...types) as Content<unknown, unknown>
  return Object.freeze({ schema: undefined, media: Object.freeze(types) })
}

function createReply({ status, body, headers, description }: ReplyPlan): AnyReply {
  const options = {
    headers: Object.fromEntries(headers.map((header) => [header.name, createSchemaParameter(toParameterSchema(header))])),
    ...(description !== undefined && { description }),
  }
  return body === undefined ? reply(status, undefined, options) : reply(status, createBody(body), options)
}

/** What endpoints and webhooks say of themselves. */
const describe = ({ tags, summary, description }: Pick<EndpointPlan, 'tags' | 'summary' | 'description'>): object => ({
  ...(tags && { tags }),
  ...(summary !== undefined && { summary }),
  ...(description !== undefined && { description }),
})

/** @throws TypeError for a plan that no endpoint can be */
export function createEndpoint(plan: EndpointPlan, auth: AuthReader): AnyEndpoint {
  const body = plan.body && createBody(plan.body)
  const parts = {
    params: createParameters(plan.params),
    query: createParameters(plan.query),
    headers: createParameters(plan.headers),
    cookies: createParameters(plan.cookies),
    auth: auth.create(plan.auth),
    body:
      body &&
      (plan.isBodyOptional && plan.body?.media.every(({ kind }) => kind !== 'multipart' && kind !== 'ndjson') ? optional(body) : body),
  }
  const definition = {
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
    response: plan.responses.map(createReply),
    errors: plan.errors.map(createReply),
    ...(plan.isDeprecated && { deprecated: true as const }),
    ...describe(plan),
  }
  // The parts of a definition are checked when they are read; a document has no types.
  return endpoint(
    `${plan.method} ${plan.path}` as 'GET /',
    definition as unknown as { readonly response: AnyReply },
  ) as unknown as AnyEndpoint
}

/** @throws TypeError for a plan that no webhook can be */
export const createWebhook = (plan: WebhookPlan): AnyWebhook =>
  webhook(plan.name, { body: createBody(plan.body), ...(plan.isDeprecated && { deprecated: true as const }), ...describe(plan) })
