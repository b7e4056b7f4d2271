/** Listens by the carrier that the settings ask for. */
import { type Listening, type ListenOptions, listen } from 'lapidary/node'
import type { Kernel } from 'lapidary/server'
import type { Logger } from 'pino'
import type { Carrier } from './settings.ts'

type Listen = (kernel: Kernel, options: ListenOptions) => Promise<Listening>

/** Says once in the log what carries, where somebody asked for another carrier than node:http; a warning where this Node has not got it. */
export function listenBy(carrier: Carrier, log: Logger): Listen {
  if (carrier === 'node') return listen
  let told = false
  return async (kernel, options) => {
    const swift = await import('lapidary/swift')
    const listening = await swift.listen(kernel, options)
    if (!told && listening.carrier === 'swift') log.info({ carrier: 'swift' }, "connections are carried by Node's own parser")
    else if (!told)
      log.warn({ carrier: 'node' }, 'this Node has not the parser that CARRIER=swift needs: connections are carried by node:http')
    told = true
    return listening
  }
}
