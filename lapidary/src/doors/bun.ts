/** The public door of the carrier on Bun.serve. */
export { type ListenOptions, listen } from '../carriers/bun.ts'
export type { CloseOptions, Listening } from '../carriers/listening.ts'
