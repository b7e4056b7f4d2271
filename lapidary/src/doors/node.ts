/** The public door of the node:http carrier. */
/// <reference types="node" preserve="true" />
export { fromListener, type Listening, type ListenOptions, listen, listener } from '../carriers/node.ts'
export type { CloseOptions } from '../carriers/nodeClose.ts'
export type { Listener } from '../carriers/nodeListener.ts'
