/** Vite builds the page into dist, and serves it while it is developed, in front of the API. */
import { lapidaryRoutes } from '@lapidary/cli/vite'
import { defineConfig } from 'vite'

const api = 'http://127.0.0.1:3000'

export default defineConfig({
  build: { outDir: '../dist', emptyOutDir: true },
  // The light client gets its routes from the description, before each build and at each change.
  plugins: [lapidaryRoutes({ api: '../src/api.ts', out: 'routes.ts' })],
  server: { host: '127.0.0.1', port: 5173, proxy: { '/stones': api, '/docs': api } },
})
