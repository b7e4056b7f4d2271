/** `lapidary/bun`: listens with Bun.serve. */
export { type BunListenOptions as ListenOptions, listenOnBun as listen } from './adapters/bun/listen.ts'
export type { CloseOptions, RunningServer } from './adapters/runningServer.ts'
