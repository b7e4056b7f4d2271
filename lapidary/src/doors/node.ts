/** The public door of the node:http carrier. */
export { type CloseOptions, fromListener, type Listening, type ListenOptions, listen, listener } from '../carriers/node.ts'
