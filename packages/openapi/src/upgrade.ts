/** The versions of OpenAPI: what is read, and Swagger 2.0 as OpenAPI 3.0. */
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { isJsonObject } from 'lapidary/internal'
import type { JsonObject } from './document.ts'
import * as messages from './openapiMessages.ts'

/**
 * The document as OpenAPI 3.
 *
 * @throws TypeError for a value that is no OpenAPI document, and for a version that is not read
 */
export function upgradeDocument(document: unknown): JsonObject {
  if (!isJsonObject(document)) throw new TypeError(messages.noDocument(document))
  const { openapi, swagger } = document
  if (typeof openapi === 'string' && /^3\.[0-2](?:\.|$)/.test(openapi)) return document
  // The converter changes what it gets.
  if (String(swagger) === '2.0' || swagger === 2)
    return upgradeFromTwoToThree(structuredClone({ ...document, swagger: '2.0' })) as JsonObject
  throw new TypeError(messages.unknownVersion(openapi ?? swagger))
}
