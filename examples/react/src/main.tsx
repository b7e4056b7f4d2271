/** Starts the page: by `npm run dev:mock`, and with `?mock` while it is developed, without a network. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { isHttpError } from 'lapidary/light'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import './style.css'

// The bundle of production has no mock.
const isMocked = import.meta.env.MODE === 'mock' || (import.meta.env.DEV && new URLSearchParams(location.search).has('mock'))
if (isMocked) await (await import('./mock.ts')).startMock()

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: (count, error) => count < 2 && !(isHttpError(error) && error.status < 500) } },
})

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App isMocked={isMocked} />
    </QueryClientProvider>
  </StrictMode>,
)
