/** Stands in for `lapidary/node` in the project `swift`: the same tests, and proof that it was the swift carrier that they ran on. */
import type { HttpHandler } from 'lapidary/server'
import { type ListenOptions, listen as listenSwiftly, type RunningLlhttpServer } from 'lapidary/swift'

export type { CloseOptions, ListenOptions, RunningServer } from 'lapidary/swift'
export { fromNodeListener, toNodeListener } from '../../src/doors/node.ts'

/** @throws Error where the swift carrier is not the one that listens: these tests would say nothing of it. */
export async function listen(kernel: HttpHandler, options?: ListenOptions): Promise<RunningLlhttpServer> {
  const listening = await listenSwiftly(kernel, options)
  if (listening.adapter === 'swift') return listening
  await listening.close({ drain: 0, grace: 0 })
  throw new Error(`This Node (${process.version}) has not the parser that the swift carrier needs.`)
}
