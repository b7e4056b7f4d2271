/** The API of a page without a network. The declarations of MSW need those of the DOM, and the compiler finds errors in them. */
import { handlers, mock } from '@lapidary/testing/msw'
import { setupWorker } from 'msw/browser'
import { api } from './api.js'

export const start = (): Promise<unknown> => setupWorker(...handlers(mock(api), { url: location.origin })).start()
