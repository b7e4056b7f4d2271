/** The key and the certificate of the service, which are renewed while it runs. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { RunningNodeServer } from 'lapidary/node'
import type { Logger } from 'pino'
import type { Settings } from './settings.ts'

/** How often the certificate is looked at, in milliseconds. */
const certificateInterval = 10_000

/** Reads the key and the certificate. Undefined where the service has none. */
export function readCertificate({ tlsKey, tlsCert }: Settings): { readonly key: Buffer; readonly cert: Buffer } | undefined {
  return tlsKey === undefined || tlsCert === undefined ? undefined : { key: readFileSync(tlsKey), cert: readFileSync(tlsCert) }
}

/** Gives a renewed certificate to the servers. One that cannot be used leaves the old one in its place. @returns ends it */
export function watchCertificate(settings: Settings, servers: readonly RunningNodeServer[], log: Logger): () => void {
  const { tlsCert } = settings
  if (tlsCert === undefined) return () => {}
  const renew = (): void => {
    try {
      const renewed = readCertificate(settings)
      if (renewed) for (const server of servers) server.setSecureContext(renewed)
      log.info({ event: 'certificate' }, 'the certificate is renewed')
    } catch (err) {
      log.error({ err }, 'the certificate cannot be renewed: the old one stays')
    }
  }
  watchFile(tlsCert, { interval: certificateInterval, persistent: false }, renew)
  return () => unwatchFile(tlsCert, renew)
}
