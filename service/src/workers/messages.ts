/** What a worker and its parent tell each other. Messages arrive whole and in order. */
import type { Snapshot } from '../observe/metrics.ts'
import type { Adapter, Settings } from '../settings.ts'

export type FromWorker =
  /** It has read its settings and waits for `start`. */
  | { readonly tell: 'up' }
  /** Every deployment listens. */
  | { readonly tell: 'listening'; readonly urls: Readonly<Record<string, string>>; readonly adapter: Adapter }
  /** It cannot start. The complaint is what it would have said to the person who started it. */
  | { readonly tell: 'failed'; readonly complaint: string }
  /** Its metrics, because it was asked, or because it is about to end. */
  | { readonly tell: 'measured'; readonly metrics: Snapshot }
  /** It has begun to close by itself. */
  | { readonly tell: 'leaving' }
  /** It has closed and would end. */
  | { readonly tell: 'closed' }

export type FromParent =
  | { readonly tell: 'start'; readonly ports: Settings['ports'] }
  /** Tell your metrics. */
  | { readonly tell: 'measure' }
  /** Drain, close, end. */
  | { readonly tell: 'close' }
  /** End: nothing is on its way to the worker any more. */
  | { readonly tell: 'go' }
