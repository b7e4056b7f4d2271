/** The server: the API, its handlers and the documentation. It needs no socket, so that tests and every host can call it. */
import { requestId, securityHeaders } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { api } from './api.ts'
import { docs, docsHandlers } from './docs.ts'
import { createHandlers } from './handlers.ts'
import type { Store } from './store.ts'

export const createServer = (store: Store) =>
  serve({ ...api, ...docs }, { ...createHandlers(store), ...docsHandlers }, { middleware: [requestId(), securityHeaders()] })
