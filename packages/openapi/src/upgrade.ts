/** The versions of OpenAPI: what is read, and Swagger 2.0 as OpenAPI 3.0. */
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { isJsonObject } from 'lapidary/internal'
import { findDeepPlace, maxDepth } from './depth.ts'
import type { JsonObject } from './document.ts'
import * as messages from './openapiMessages.ts'

/** The converter takes each part for what it should be. @throws TypeError for a document that has another value there */
function convertSwagger(document: JsonObject): JsonObject {
  try {
    return upgradeFromTwoToThree(document) as JsonObject
  } catch (error) {
    throw new TypeError(messages.invalidSwagger((error as Error).message), { cause: error })
  }
}

/**
 * Writes the media types of a document of Swagger 2.0 into each operation that states none: the converter takes those of the document for
 * all, and those of an operation replace them (Swagger 2.0, Operation Object).
 */
function stateMediaTypes({ consumes, produces, ...document }: JsonObject): JsonObject {
  const types = { ...(consumes !== undefined && { consumes }), ...(produces !== undefined && { produces }) }
  const mapMembers = (value: unknown, change: (member: unknown) => unknown): unknown =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)])) : value
  // The other members of a path are no objects: its parameters are a list, and its reference is a text.
  const stateTypes = (operation: unknown): unknown => (isJsonObject(operation) ? { ...types, ...operation } : operation)
  return { ...document, paths: mapMembers(document['paths'], (path) => mapMembers(path, stateTypes)) }
}

/**
 * The document as OpenAPI 3.
 *
 * @throws TypeError for a value that is no OpenAPI document, and for a version that is not read
 */
export function upgradeDocument(document: unknown): JsonObject {
  if (!isJsonObject(document)) throw new TypeError(messages.noDocument(document))
  const place = findDeepPlace(document)
  if (place !== undefined) throw new TypeError(messages.deepDocument(place, maxDepth))
  const { openapi, swagger } = document
  if (typeof openapi === 'string' && /^3\.[0-2](?:\.|$)/.test(openapi)) return document
  // The converter changes what it gets.
  if (String(swagger) === '2.0' || swagger === 2) return convertSwagger(stateMediaTypes(structuredClone({ ...document, swagger: '2.0' })))
  throw new TypeError(messages.unknownVersion(openapi ?? swagger))
}
