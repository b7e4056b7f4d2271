/** The position that a path names. */
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'

export const position: Handlers<typeof main>['position'] = ({ params }) => ({ xCoord: params.x, yCoord: params.y })
