/** All predicates, in the order in which they are looked at. */
import type { Predicate } from '../predicate.ts'
import { body, noTrace, problem } from './body.ts'
import { location, removed, replaced } from './changes.ts'
import { lostUpdates, tags } from './conditions.ts'
import { challenge, headers, link, retryAfter, vary } from './headers.ts'
import { complete, size, time } from './limits.ts'
import { members } from './members.ts'
import { head, methods, nothing, options } from './methods.ts'
import { walks } from './pages.ts'
import { accept, bodies, captures, contentType, credentials, encoding, query, requestHeaders } from './refused.ts'
import { noServerError, status } from './status.ts'
import { valid } from './valid.ts'

/** What holds of every exchange, and what is asked for: to be added to, or filtered. */
export const predicates: readonly Predicate[] = Object.freeze([
  complete,
  noServerError,
  status,
  headers,
  body,
  problem,
  members,
  vary,
  challenge,
  retryAfter,
  link,
  noTrace,
  size,
  time,
  credentials,
  valid,
  captures,
  query,
  requestHeaders,
  encoding,
  bodies,
  contentType,
  accept,
  head,
  methods,
  options,
  nothing,
  tags,
  location,
  replaced,
  lostUpdates,
  removed,
  walks,
])
