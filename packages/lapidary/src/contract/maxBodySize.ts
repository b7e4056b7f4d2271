/** The option `maxBodySize`: the largest body of a request. */
import { requireByteSize } from '../http/byteSize.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { EndpointParts } from './endpointParts.ts'
import { getDeclaredFileSize } from './media/multipart.ts'
import { getFileLimits } from './parameters/file.ts'

/** @throws TypeError for what is no size, for one without a body, and for files whose sizes make no default. */
export function checkMaxBodySize({ route, body, maxBodySize }: EndpointParts): void {
  if (maxBodySize !== undefined) {
    if (body === undefined) throw new TypeError(developerErrors.maxBodySizeWithoutBody(route))
    requireByteSize(route, 'maxBodySize', maxBodySize)
    return
  }
  for (const [name, parameter] of (body?.media ?? []).flatMap(({ parts = {} }) => Object.entries(parts))) {
    const limits = getFileLimits(parameter)
    if (limits?.maxSize !== undefined && limits.maxItems === undefined) throw new TypeError(developerErrors.unlimitedFiles(route, name))
  }
}

/**
 * Returns the largest body of a request, in bytes.
 *
 * @param defaultSize of an endpoint without a size of its own, to which the sizes of its files are added
 */
export const getMaxBodySize = ({ route, body, maxBodySize }: EndpointParts, defaultSize: number): number =>
  maxBodySize === undefined ? defaultSize + getDeclaredFileSize(body) : requireByteSize(route, 'maxBodySize', maxBodySize)
