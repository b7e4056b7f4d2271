/** Creates the request of a workload for one server: in its dialect, and with its own entity tag. */

import { sendOnce } from './load.mjs'
import { getHeader } from './responses.mjs'
import { addCondition, workloads } from './workloads.mjs'

/**
 * @param {import('./processes.mjs').Server} server
 * @param {string} name  of the workload
 * @returns {Promise<import('./workloads.mjs').WorkloadRequest & { name: string }>}
 */
export async function createWorkloadRequest({ framework, port }, name) {
  const workload = workloads[name]
  const { request, status } = workload.dialects?.[framework.dialect ?? ''] ?? workload
  if (workload.isConditional !== true) return { name, request, status }
  const { head } = await sendOnce(port, request)
  const tag = getHeader(head, 'etag')
  if (tag === undefined) throw new Error(`${framework.name} sends no ETag with ${name}`)
  return { name, request: addCondition(request, tag), status }
}
