/** `lapidary/node`: listens with node:http. */
/// <reference types="node" preserve="true" />

export type { NodeListenOptions as ListenOptions } from './adapters/node/listen.ts'
export { fromNodeListener, listenOnNode as listen, toNodeListener } from './adapters/node/listen.ts'
export type { NodeListener } from './adapters/node/requestListener.ts'
export type { CloseOptions, RunningServer } from './adapters/runningServer.ts'
