/** `lapidary/llhttp` (experimental): listens with node:net and Node's own HTTP parser. */
/// <reference types="node" preserve="true" />

export { listenOnLlhttp as listen, type RunningLlhttpServer } from './adapters/llhttp/listen.ts'
export type { NodeListenOptions as ListenOptions } from './adapters/node/listenOptions.ts'
export type { CloseOptions, RunningServer } from './adapters/runningServer.ts'
