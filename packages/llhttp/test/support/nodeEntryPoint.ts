/** Replaces `lapidary/node` in the project `llhttp`, and makes sure that the tests run on the llhttp adapter. */

import { type ListenOptions, listen as listenWithLlhttp, type RunningLlhttpServer } from '@lapidary/llhttp'
import type { HttpHandler } from 'lapidary/server'

export type { CloseOptions, ListenOptions, RunningServer } from '@lapidary/llhttp'
export { fromNodeListener, toNodeListener } from '../../../lapidary/src/node.ts'

/** @throws Error where the llhttp adapter is not the one that listens: these tests would say nothing of it. */
export async function listen(handler: HttpHandler, options?: ListenOptions): Promise<RunningLlhttpServer> {
  const listening = await listenWithLlhttp(handler, options)
  if (listening.adapter === 'llhttp') return listening
  await listening.close({ drain: 0, grace: 0 })
  throw new Error(`This Node (${process.version}) has not the parser that the llhttp adapter needs.`)
}
