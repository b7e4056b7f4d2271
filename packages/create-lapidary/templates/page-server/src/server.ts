/** The server: the API, its handlers, its documentation and the page. It needs no socket, so that tests and every host can call it. */
import { fileURLToPath } from 'node:url'
import { documentationPage } from '@lapidary/docs-page'
import { mount } from 'lapidary'
import { requestId, securityHeaders } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { api } from './api.ts'
import { createHandlers } from './handlers.ts'
import type { Store } from './store.ts'

const docs = documentationPage(api, { title: 'my-api', home: { name: 'The shelf', url: '/' } })

/** What `vite build` has made of the folder page. */
const page = serveStatic(fileURLToPath(new URL('../dist', import.meta.url)), {
  headers: { 'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'" },
})

export const createServer = (store: Store) =>
  serve(
    { ...api, docs: mount('/docs'), page: mount('/') },
    { ...createHandlers(store), docs, page },
    { middleware: [requestId(), securityHeaders()] },
  )
