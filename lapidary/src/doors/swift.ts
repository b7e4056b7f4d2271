/** The public door of the swift carrier: node:net with Node's own parser. */
/// <reference types="node" preserve="true" />
export type { CloseOptions, Listening } from '../carriers/listening.ts'
export type { ListenOptions } from '../carriers/nodeListening.ts'
export { listen, type SwiftListening } from '../carriers/swift.ts'
