/** The errors that a test expects on `console.error`: they are caught, and not printed. */
import { onTestFinished, vi } from 'vitest'

/** The arguments of each call of `console.error` until the test is over. */
export function printedErrors(): readonly (readonly unknown[])[] {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => print.mockRestore())
  return print.mock.calls
}
