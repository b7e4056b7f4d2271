/** The option `timeout`: how long the response of an endpoint may take. */
import * as developerErrors from '../messages/developerErrors.ts'

/** After how many seconds a client may try again when an endpoint has taken longer. */
export const retryAfterTimeout = '1'

/** @throws TypeError for what is no time, and for one that is longer than a timer: such a timer would fire at once. */
export function checkTimeout(line: string, timeout: unknown): void {
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0 && timeout <= 2_147_483_647))
    throw new TypeError(developerErrors.invalidTimeout(line, timeout))
}
