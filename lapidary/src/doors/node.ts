/** The public door of the node:http carrier. */
/// <reference types="node" preserve="true" />
export type { CloseOptions, Listening } from '../carriers/listening.ts'
export { fromListener, listen, listener } from '../carriers/node.ts'
export type { Listener } from '../carriers/nodeListener.ts'
export type { ListenOptions } from '../carriers/nodeListening.ts'
