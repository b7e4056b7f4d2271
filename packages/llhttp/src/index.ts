/** `@lapidary/llhttp` (experimental): listens with node:net and Node's own HTTP parser. */
/// <reference types="node" preserve="true" />

export type { CloseOptions, ListenOptions, RunningServer } from 'lapidary/node'
export { listenOnLlhttp as listen, type RunningLlhttpServer } from './listen.ts'
