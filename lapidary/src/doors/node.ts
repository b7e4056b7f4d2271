/** The public door of the node:http carrier. */
/// <reference types="node" preserve="true" />
export type { Listening, ListenOptions } from '../carriers/listening.ts'
export { fromListener, listen, listener } from '../carriers/node.ts'
export type { CloseOptions } from '../carriers/nodeClose.ts'
