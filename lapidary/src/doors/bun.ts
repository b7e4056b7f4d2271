/** The public door of the carrier on Bun.serve. */
export { type BunListenOptions as ListenOptions, listenOnBun as listen } from '../carriers/bun.ts'
export type { CloseOptions, RunningServer } from '../carriers/listening.ts'
