/**
 * The conventions of the toolkit: what its servers do for each endpoint, declared or not. Errors are problem details, HEAD stands beside GET,
 * 405, 406, 413 and 415 say what a request may be, and webhooks are signed. An OpenAPI document of another program promises none of them.
 */
import type { AnyEndpoint } from './endpoint.ts'
import type { AnyWebhook } from './webhook.ts'

/** In the registry of all copies of the package: an API of one copy may be documented by another. */
const withoutConventions: unique symbol = Symbol.for('lapidary.withoutConventions') as never

/** Whether a part of an API has the conventions of the toolkit. Each has, except what `fromOpenApi` makes of a document of another program. */
export const hasConventions = (part: AnyEndpoint | AnyWebhook): boolean => !(withoutConventions in part)

/** The same part, with the conventions of the toolkit or without. */
export function setConventions<Part extends AnyEndpoint | AnyWebhook>(part: Part, conventions: boolean): Part {
  if (hasConventions(part) === conventions) return part
  const { [withoutConventions]: _, ...own } = part as Part & { readonly [withoutConventions]?: true }
  return Object.freeze(conventions ? own : { ...own, [withoutConventions]: true }) as unknown as Part
}
