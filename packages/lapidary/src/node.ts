/** `lapidary/node`: listens with node:http, and runs the process. */
/// <reference types="node" preserve="true" />

export { fetchPublic } from './adapters/node/fetchPublic.ts'
export { listenOnNode as listen, type RunningNodeServer } from './adapters/node/listen.ts'
export type { NodeListenOptions as ListenOptions } from './adapters/node/listenOptions.ts'
export { fromNodeListener, type NodeListener, type NodeMiddleware, toNodeListener } from './adapters/node/requestListener.ts'
export { type Closable, type CloseCause, type FailureMoment, type RunOptions, run } from './adapters/node/run.ts'
export type { CloseOptions, RunningServer } from './adapters/runningServer.ts'
