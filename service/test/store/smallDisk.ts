/** A small file system for one test. */

import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { folder } from './scratch.ts'

/** A folder with room for `size` (`1m`), in memory; nothing where this process may not mount one. */
export function smallDisk(size: string): string | undefined {
  const path = folder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', path]))
  return path
}
