/** The endpoints of an API as operations, each at its path and with an id of its own. */
import type { NamedOperation } from '../describe/api.ts'
import * as complaint from '../describe/complaint.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { OperationObject } from './document.ts'
import { findFreeName, toCamelCase } from './names.ts'
import { createOperationObject, type OperationContext } from './operation.ts'
import { createPathTemplates } from './paths.ts'

/** An endpoint, and where it stands in its API. */
export interface NamedEndpoint {
  readonly place: NamedOperation
  readonly endpoint: AnyEndpoint
}

/** An operation at its place in a document. */
export interface PlacedOperation {
  readonly operation: OperationObject
  readonly path: string
  /** In lower case. */
  readonly method: string
}

/** What all operations have to do with. */
export interface DocumentContext extends Pick<OperationContext, 'schemas' | 'securitySchemes'> {
  readonly getTags: (place: NamedOperation) => string[]
}

/** The operations, in the order of their endpoints. @throws TypeError for two endpoints with one route, and for an example that does not fit. */
export async function createOperationObjects(
  leaves: readonly NamedEndpoint[],
  { schemas, securitySchemes, getTags: tagsOf }: DocumentContext,
): Promise<readonly PlacedOperation[]> {
  const templateOf = createPathTemplates()
  const ids = new Set<string>()
  const names = new Map<string, string>()
  const placed: PlacedOperation[] = []
  for (const { place, endpoint } of leaves) {
    const { path, captures } = templateOf(endpoint.segments)
    const key = `${endpoint.method} ${path}`
    const other = names.get(key)
    if (other !== undefined) throw new TypeError(complaint.duplicateRoute(other, place.name, endpoint.route))
    names.set(key, place.name)
    const operationId = findFreeName(toCamelCase(place.name) || 'operation', (id) => ids.has(id))
    ids.add(operationId)
    const operation = await createOperationObject(endpoint, { operationId, tags: tagsOf(place), captures, schemas, securitySchemes })
    placed.push({ operation, path, method: endpoint.method.toLowerCase() })
  }
  return placed
}
