/** The public door of the swift carrier: node:net with Node's own parser. */
/// <reference types="node" preserve="true" />
export type { CloseOptions, RunningServer } from '../carriers/listening.ts'
export type { NodeListenOptions as ListenOptions } from '../carriers/nodeListening.ts'
export { listenOnLlhttp as listen, type RunningLlhttpServer } from '../carriers/swift.ts'
