/** The public door of the node:http carrier. */
export { fromListener, type Listening, type ListenOptions, listen, listener } from '../carriers/node.ts'
export type { CloseOptions } from '../carriers/nodeClose.ts'
