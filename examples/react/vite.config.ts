import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { lapidaryRoutes } from '@lapidary/cli/vite'
import react from '@vitejs/plugin-react'
import { toNodeListener } from 'lapidary/node'
import { serve } from 'lapidary/server'
import type { Connect, Plugin } from 'vite'
import { defineConfig } from 'vite'
import { api } from './src/api.ts'
import { createHandlers } from './src/handlers.ts'

/** The API in the process of Vite: what it does not have, it leaves to the page. */
const apiServer = (): Plugin => {
  const use = ({ middlewares }: { readonly middlewares: Connect.Server }): void => {
    middlewares.use(toNodeListener(serve(api, createHandlers())))
  }
  return { name: 'api', configureServer: use, configurePreviewServer: use }
}

// The script of the service worker belongs beside the page.
const folder = fileURLToPath(new URL('public', import.meta.url))
mkdirSync(folder, { recursive: true })
copyFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), `${folder}/mockServiceWorker.js`)

export default defineConfig({
  plugins: [react(), lapidaryRoutes({ api: 'src/api.ts', out: 'src/api.routes.ts' }), apiServer()],
})
