/** One line in the log for each request. */
import type { Kernel, Outgoing } from 'lapidary/server'
import type { Logger } from 'pino'

/** The same kernel, which says of each request what it was and how it was answered. Neither headers nor bodies are logged. */
export function logged(kernel: Kernel, log: Logger): Kernel {
  if (!log.isLevelEnabled('info')) return kernel
  return (incoming) => {
    const begun = performance.now()
    const { method, target, remote } = incoming
    const tell = (outgoing: Outgoing): Outgoing => {
      log.info({ method, target, status: outgoing.status, ms: Math.round((performance.now() - begun) * 1000) / 1000, remote }, 'request')
      return outgoing
    }
    const outgoing = kernel(incoming)
    return outgoing instanceof Promise ? outgoing.then(tell) : tell(outgoing)
  }
}
