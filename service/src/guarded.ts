/** What stands around the kernel of a deployment: a limit to its load, a deadline for its answers, and the word to pages of other origins where some are allowed. */
import type { Api } from 'lapidary'
import { cors, deadline, shedding } from 'lapidary/kernels'
import type { Incoming, Kernel } from 'lapidary/server'
import type { Settings } from './settings.ts'

/** Whoever asks whether the process lives must not hear that it has much to do: it would be ended for that. */
const isHealth = ({ target }: Incoming): boolean => target.startsWith('/health/')

/** The same kernel of the same API. CORS is outermost: a page can read that an answer came too late, or cannot come now. */
export function guarded(kernel: Kernel, api: Api, { handlerTimeout, longestWait, corsOrigins }: Settings): Kernel {
  const timely = shedding(deadline(kernel, { time: handlerTimeout }), { longestWait, except: isHealth })
  return corsOrigins === undefined ? timely : cors(timely, api, { origins: corsOrigins })
}
