/** Stands in for `lapidary/node` in the project `swift`: the same tests, and proof that it was the swift carrier that they ran on. */
import type { Kernel } from 'lapidary/server'
import { type ListenOptions, listen as listenSwiftly, type SwiftListening } from 'lapidary/swift'

export type { CloseOptions, Listening, ListenOptions } from 'lapidary/swift'
export { fromListener, listener } from '../../src/doors/node.ts'

/** @throws Error where the swift carrier is not the one that listens: these tests would say nothing of it. */
export async function listen(kernel: Kernel, options?: ListenOptions): Promise<SwiftListening> {
  const listening = await listenSwiftly(kernel, options)
  if (listening.carrier === 'swift') return listening
  await listening.close({ drain: 0, grace: 0 })
  throw new Error(`This Node (${process.version}) has not the parser that the swift carrier needs.`)
}
