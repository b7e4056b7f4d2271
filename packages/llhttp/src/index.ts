/** `@lapidary/llhttp` (experimental): listens with node:net and Node's own HTTP parser. */
/// <reference types="node" preserve="true" />

export type { CloseOptions, RunningServer } from 'lapidary/node'
export { type LlhttpListenOptions as ListenOptions, listenOnLlhttp as listen, type RunningLlhttpServer } from './listen.ts'
