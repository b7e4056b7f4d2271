/** All rows, by section. */
import { authentication } from './authentication.ts'
import { bodies } from './bodies.ts'
import { framing } from './framing.ts'
import { headers } from './headers.ts'
import { negotiation } from './negotiation.ts'
import { routing } from './routing.ts'
import type { Row } from './row.ts'
import { staticFiles } from './staticFiles.ts'
import { pagination, streams } from './streams.ts'
import { values } from './values.ts'

export const corpus: Readonly<Record<string, readonly Row[]>> = {
  framing,
  routing,
  values,
  headers,
  bodies,
  negotiation,
  authentication,
  'static files': staticFiles,
  streams,
  pagination,
}
