/** `mount('/static')`: everything under a prefix, any method, left to a handler that sees the request as it came. */
import * as complaint from './complaint.ts'
import { findForeignSegment, parsePath, type Segment } from './route.ts'

/** A raw part of an API. Endpoints below the prefix win over it. */
export interface Mount {
  readonly '~kind': 'mount'
  readonly prefix: string
  readonly segments: readonly Segment[]
  readonly description: string | undefined
}

/** The literal segments of a prefix. @throws TypeError when it is malformed or has captures. */
export function parsePrefix(prefix: string): readonly Segment[] {
  const segments = prefix.startsWith('/') && (prefix === '/' || !prefix.endsWith('/')) ? parsePath(prefix) : undefined
  if (segments === undefined || findForeignSegment(segments) !== undefined || segments.some((segment) => 'capture' in segment))
    throw new TypeError(complaint.invalidPrefix(prefix))
  return segments
}

/** Everything under `prefix`; its handler is a kernel, which gets the target without the prefix. */
export const mount = (prefix: `/${string}`, options: { readonly description?: string } = {}): Mount =>
  Object.freeze({ '~kind': 'mount' as const, prefix, segments: Object.freeze(parsePrefix(prefix)), description: options.description })
