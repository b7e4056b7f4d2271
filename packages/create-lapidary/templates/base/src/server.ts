/** The server: the API, its handlers and its documentation. It needs no socket, so that tests and every host can call it. */
import { documentationPage } from '@lapidary/docs-page'
import { mount } from 'lapidary'
import { requestId, securityHeaders } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { api } from './api.ts'
import { createHandlers } from './handlers.ts'
import type { Store } from './store.ts'

const docs = documentationPage(api, { title: 'my-api' })

export const createServer = (store: Store) =>
  serve({ ...api, docs: mount('/docs') }, { ...createHandlers(store), docs }, { middleware: [requestId(), securityHeaders()] })
