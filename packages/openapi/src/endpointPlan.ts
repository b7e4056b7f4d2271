/** The plan of an endpoint: all that it is made of. `fromOpenApi` makes the endpoint, and `lapidary import` writes it down. */
import type { Deprecation, RateLimitPolicy } from 'lapidary'
import type { AuthPlan } from './auth.ts'
import type { BodyPlan } from './bodies.ts'
import type { ParameterPlan } from './parameters.ts'
import type { ReplyPlans } from './responses.ts'

/** The words of an endpoint that OpenAPI has none for. */
export interface EndpointWords {
  readonly etag?: true | 'optional' | 'required'
  readonly idempotent?: 'optional' | 'required'
  readonly deprecated?: Deprecation
  readonly rateLimit?: readonly RateLimitPolicy[]
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly maxBodySize?: string | number
  readonly timeout?: number
  readonly rawBody?: true
  /** Wrong credentials count as none. */
  readonly ignoresInvalidCredentials?: true
}

/** An endpoint. */
export interface EndpointPlan extends ReplyPlans {
  /** Where the document describes it. */
  readonly pointer: string
  /** The keys that lead to it. */
  readonly keys: readonly string[]
  readonly operationId: string | undefined
  readonly method: string
  /** With its captures: `/users/:id`. */
  readonly path: string
  readonly params: readonly ParameterPlan[]
  readonly query: readonly ParameterPlan[]
  readonly headers: readonly ParameterPlan[]
  readonly cookies: readonly ParameterPlan[]
  readonly auth: AuthPlan
  readonly body: BodyPlan | undefined
  readonly isBodyOptional: boolean
  readonly isDeprecated: boolean
  readonly tags: readonly string[] | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  /** The words of a document that the toolkit has written. */
  readonly words?: EndpointWords
}
