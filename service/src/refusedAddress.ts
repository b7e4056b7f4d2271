/** The failure to listen, as a setting that will not do. */
import { BadSetting } from './settings.ts'

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE' // any other value has no code

/** What to throw where this machine refused to listen: a complaint about the setting. */
export function refusedAddress(error: unknown, host: string, port: number): BadSetting {
  if (isTaken(error)) return new BadSetting('The port', `${port}`, `a free port on ${host}, and this one is taken`)
  const { code = 'unknown' } = error as NodeJS.ErrnoException // as above
  return new BadSetting('The address', `${host}:${port}`, `one that this machine lets a server have (${code})`)
}
