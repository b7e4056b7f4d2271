import type { Handle } from '@sveltejs/kit'
import { server } from '../../server.ts'

export const handle: Handle = ({ event, resolve }) => (server.hasPath(event.url.pathname) ? server.fetch(event.request) : resolve(event))
