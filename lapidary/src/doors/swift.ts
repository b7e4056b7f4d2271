/** The public door of the swift carrier: node:net with Node's own parser. */
/// <reference types="node" preserve="true" />
export type { Listening, ListenOptions } from '../carriers/listening.ts'
export type { CloseOptions } from '../carriers/nodeClose.ts'
export { listen, type SwiftListening } from '../carriers/swift.ts'
