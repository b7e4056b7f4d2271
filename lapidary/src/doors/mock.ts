/** The public door of the mock: a server of nothing but the description. */
import { toFetch } from '../carriers/fetch.ts'
import type { Api } from '../describe/api.ts'
import { createMockHandler as mockKernel } from '../mock/mock.ts'
import type { MockOptions } from '../mock/options.ts'
import type { ApiServer } from './server.ts'

export type { EndpointNames, MockHandler, MockHandlerOf, MountNames } from '../mock/names.ts'
export type { Delay, Fault, Faults, MockOptions } from '../mock/options.ts'

/**
 * Serves an API of nothing but its description: `listen(mock(api), { port: 8081 })`. Requests are read and refused as by any server of it, and
 * answered with the examples of the description or with values that its schemas allow, the same for the same request. What has the shape of a
 * `collection` keeps what it is given, until the program ends.
 *
 * @throws TypeError as `serve` does, and for options that cannot be meant.
 */
export function mock<const A extends Api>(api: A, options: MockOptions<NoInfer<A>> = {}): ApiServer {
  const kernel = mockKernel<A>(api, options)
  return Object.assign(kernel, { fetch: toFetch(kernel) })
}
