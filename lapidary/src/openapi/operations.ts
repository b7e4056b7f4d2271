/** The endpoints of an API as operations, each at its path and with an id of its own. */
import type { Walked } from '../describe/api.ts'
import * as complaint from '../describe/complaint.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { OperationObject } from './document.ts'
import { camelCase, distinct } from './names.ts'
import { operationOf, type Surroundings } from './operation.ts'
import { templates } from './paths.ts'

/** An endpoint, and where it stands in its API. */
export interface Leaf {
  readonly place: Walked
  readonly endpoint: AnyEndpoint
}

/** An operation at its place in a document. */
export interface Placed {
  readonly operation: OperationObject
  readonly path: string
  /** In lower case. */
  readonly method: string
}

/** What all operations have to do with. */
export interface Common extends Pick<Surroundings, 'schemas' | 'securitySchemes'> {
  readonly tagsOf: (place: Walked) => string[]
}

/** The operations, in the order of their endpoints. @throws TypeError for two endpoints with one route, and for an example that does not fit. */
export async function operationsOf(leaves: readonly Leaf[], { schemas, securitySchemes, tagsOf }: Common): Promise<readonly Placed[]> {
  const templateOf = templates()
  const ids = new Set<string>()
  const names = new Map<string, string>()
  const placed: Placed[] = []
  for (const { place, endpoint } of leaves) {
    const { path, captures } = templateOf(endpoint.segments)
    const key = `${endpoint.method} ${path}`
    const other = names.get(key)
    if (other !== undefined) throw new TypeError(complaint.sameRoute(other, place.name, endpoint.route))
    names.set(key, place.name)
    const operationId = distinct(camelCase(place.name) || 'operation', (id) => ids.has(id))
    ids.add(operationId)
    const operation = await operationOf(endpoint, { operationId, tags: tagsOf(place), captures, schemas, securitySchemes })
    placed.push({ operation, path, method: endpoint.method.toLowerCase() })
  }
  return placed
}
