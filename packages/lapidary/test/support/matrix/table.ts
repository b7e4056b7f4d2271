/** The table of the matrix, by topics. */
import { contentTypes, forms, jsonTexts, members, others } from './bodies.ts'
import { cookies, headers, queries } from './parameters.ts'
import { methods, paths } from './paths.ts'
import { accepts, credentials, declaredErrors, mounts, ranged, replies } from './replies.ts'
import type { Row } from './row.ts'

export const table: Readonly<Record<string, readonly Row[]>> = {
  'a path': paths,
  'a method': methods,
  'a query': queries,
  'a header': headers,
  'a cookie': cookies,
  Accept: accepts,
  'Content-Type': contentTypes,
  'a form': forms,
  'a JSON text': jsonTexts,
  'a JSON member': members,
  'another body': others,
  'a reply': replies,
  'a range': ranged,
  credentials,
  'a declared error': declaredErrors,
  'a mount': mounts,
}

/** Headers of the connection, not of the answer: `fetch` closes it behind a HEAD. */
export const perConnection: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
