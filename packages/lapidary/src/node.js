/** `lapidary/node`: listens with node:http. */
/// <reference types="node" preserve="true" />
export { fromNodeListener, listenOnNode as listen, toNodeListener } from './adapters/node/listen.js'
