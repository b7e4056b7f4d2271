/** The page without a network: the API in a service worker of MSW. */
import { handlers, mock } from '@lapidary/testing/msw'
import { setupWorker } from 'msw/browser'
import { api } from './api.ts'
import { createHandlers } from './handlers.ts'

export async function startMock(): Promise<void> {
  const { stones, photo, prices } = createHandlers()
  const server = mock(api, {
    delay: { min: 50, max: 200 },
    handlers: { 'stones.list': stones.list, 'stones.one': stones.one, 'stones.rename': stones.rename, photo, prices },
  })
  await setupWorker(...handlers(server, { url: location.origin })).start({ quiet: true, onUnhandledRequest: 'bypass' })
}
