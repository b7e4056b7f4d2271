/** The server: the API, its handlers, the documentation and the page. It needs no socket, so that tests and every host can call it. */
import { fileURLToPath } from 'node:url'
import { mount } from 'lapidary'
import { requestId, securityHeaders } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { api } from './api.ts'
import { docs, docsHandlers } from './docs.ts'
import { createHandlers } from './handlers.ts'
import type { Store } from './store.ts'

/** What `vite build` has made of the folder page. */
const page = serveStatic(fileURLToPath(new URL('../dist', import.meta.url)), {
  headers: { 'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'" },
})

export const createServer = (store: Store) =>
  serve(
    { ...api, ...docs, page: mount('/') },
    { ...createHandlers(store), ...docsHandlers, page },
    { middleware: [requestId(), securityHeaders()] },
  )
