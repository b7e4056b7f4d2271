/** A greeting. */
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'

export const hello: Handlers<typeof main>['hello'] = ({ query }) => ({ msg: `Hello, ${query.name ?? 'anonymous coward'}` })
