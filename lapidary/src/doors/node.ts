/** The public door of the node:http carrier. */
/// <reference types="node" preserve="true" />
export type { CloseOptions, RunningServer } from '../carriers/listening.ts'
export { fromNodeListener, listenOnNode as listen, toNodeListener } from '../carriers/node.ts'
export type { NodeListener } from '../carriers/nodeListener.ts'
export type { NodeListenOptions as ListenOptions } from '../carriers/nodeListening.ts'
