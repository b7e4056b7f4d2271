/** `lapidary/cluster`: several processes that serve one port, on Node.js. */
/// <reference types="node" preserve="true" />

export type { ServerAddress } from './cluster/reservePorts.ts'
export { type RunningWorker, runWorker, type WorkerCloseReason, type WorkerContext, type WorkerOptions } from './cluster/runWorker.ts'
export {
  type ClusterEvent,
  type ClusterOptions,
  type RunningCluster,
  startCluster,
  WorkerError,
  type WorkerExit,
} from './cluster/startCluster.ts'
