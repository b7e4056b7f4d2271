/** All planted faults of requests and responses. */
import { bodies } from './bodies.ts'
import { changes } from './changes.ts'
import { credentials } from './credentials.ts'
import { downloads } from './downloads.ts'
import { errors } from './errors.ts'
import { numberedPages } from './numberedPages.ts'
import { parameters } from './parameters.ts'
import type { Planted } from './planted.ts'
import { responses } from './responses.ts'
import { routes } from './routes.ts'
import { streams } from './streams.ts'
import { webhooks } from './webhooks.ts'

export const planted: readonly Planted[] = [
  ...credentials,
  ...parameters,
  ...bodies,
  ...responses,
  ...errors,
  ...streams,
  ...routes,
  ...changes,
  ...downloads,
  ...numberedPages,
  ...webhooks,
]
