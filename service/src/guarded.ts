/** What stands around the kernel of a deployment: a deadline for its answers, and the word to pages of other origins where some are allowed. */
import type { Api } from 'lapidary'
import { cors, timeout } from 'lapidary/middleware'
import type { HttpHandler } from 'lapidary/server'
import type { Settings } from './settings.ts'

/** The same kernel of the same API. CORS is outermost: a page can read that an answer came too late. */
export function guarded(kernel: HttpHandler, api: Api, { handlerTimeout, corsOrigins }: Settings): HttpHandler {
  const timely = timeout(kernel, { time: handlerTimeout, api })
  return corsOrigins === undefined ? timely : cors(timely, api, { origins: corsOrigins })
}
