/** The request of a workload for one server: in its dialect, and with its own entity tag. */
import { headerIn } from './answers.mjs'
import { askOnce } from './load.mjs'
import { conditional, workloads } from './workloads.mjs'

/**
 * @param {import('./processes.mjs').Server} server
 * @param {string} name  of the workload
 * @returns {Promise<import('./workloads.mjs').Asked & { name: string }>}
 */
export async function askedOf({ contestant, port }, name) {
  const workload = workloads[name]
  const { request, status } = workload.dialects?.[contestant.dialect ?? ''] ?? workload
  if (workload.conditional !== true) return { name, request, status }
  const { head } = await askOnce(port, request)
  const tag = headerIn(head, 'etag')
  if (tag === undefined) throw new Error(`${contestant.name} sends no ETag with ${name}`)
  return { name, request: conditional(request, tag), status }
}
