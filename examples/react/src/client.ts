/** The client of the page: without schemas, made of the routes that Vite writes. */
import { client } from 'lapidary/light'
import { routes } from './api.routes.ts'
import type { api } from './api.ts'

export const call = client<typeof api>(routes, location.origin)
