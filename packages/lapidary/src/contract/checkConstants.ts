/**
 * Checks what an endpoint states once for all of its requests: bounds that are numbers, and texts that a head can carry. A server checks them
 * when it starts, since each request would fail, or each bound would be none.
 */
import { isHeaderName, isHeaderValue } from '../http/headerFields.ts'
import { parseMediaType } from '../http/mediaTypeParser.ts'
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { listAuthSchemes } from './auth/alternatives.ts'
import type { AnyEndpoint } from './endpoint.ts'

const numberKeywords = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']

/** Bounds of NaN, and of texts, are compared with values as well, and no value is outside of them. */
function checkBounds(place: string, schema: JsonSchema): void {
  for (const keyword of numberKeywords) {
    const bound = schema[keyword]
    if (bound !== undefined && (typeof bound !== 'number' || Number.isNaN(bound)))
      throw new TypeError(developerErrors.invalidBound(place, keyword, bound))
  }
  if (typeof schema.items === 'object') checkBounds(place, schema.items)
}

function checkHeader(place: string, name: string, value: unknown): void {
  if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(developerErrors.unsendableConstant(place, name, value))
}

/** @throws TypeError for a bound that is no number, and for a constant that no head can carry. */
export function checkConstants(endpoint: AnyEndpoint): void {
  const { route, params, query, headers, cookies, body, responses, errors, responseHeaders, auth } = endpoint
  const parts = (body?.media ?? []).flatMap((media) => Object.entries(media.parts ?? {}))
  for (const [part, parameters] of Object.entries({ params, query, headers, cookies, body: Object.fromEntries(parts) }))
    for (const [name, { jsonSchema }] of Object.entries(parameters)) checkBounds(`${route}: ${part}.${name}`, jsonSchema)
  for (const [name, value] of Object.entries(responseHeaders)) checkHeader(`${route}: responseHeaders`, name, value)
  const contents = [body, ...[...responses, ...errors].map(({ content }) => content)]
  for (const { types, headers: mediaHeaders = {} } of contents.flatMap((content) => content?.media ?? [])) {
    for (const type of types)
      if (!isHeaderValue(type) || parseMediaType(type) === undefined) throw new TypeError(developerErrors.invalidMediaType(route, type))
    for (const [name, value] of Object.entries(mediaHeaders)) checkHeader(`${route}: ${types[0]}`, name, value)
  }
  for (const { name, challenge } of listAuthSchemes(auth))
    if (!isHeaderValue(challenge) || challenge === '') throw new TypeError(developerErrors.unsendableChallenge(name, challenge))
}
