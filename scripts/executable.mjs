// Finds programs of this machine.
import { accessSync, constants } from 'node:fs'

/** Whether there is a program at this path that this process may run. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
