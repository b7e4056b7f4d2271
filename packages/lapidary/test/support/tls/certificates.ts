/** Certificates of tests: two keys without any other use, each with its own certificate for localhost, until the year 2126. */
import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** A key with its certificate, as PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

export const firstCertificate: Certificate = { key: read('first.key.pem'), cert: read('first.cert.pem') }
export const secondCertificate: Certificate = { key: read('second.key.pem'), cert: read('second.cert.pem') }
