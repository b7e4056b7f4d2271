/** `lapidary/llhttp` (experimental): listens with node:net and Node's own HTTP parser. */
/// <reference types="node" preserve="true" />
export { listenOnLlhttp as listen } from './adapters/llhttp/listen.js'
