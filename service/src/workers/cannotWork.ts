/** The failure of workers to start, as their parent throws it. */

/** The message is what the worker would have said by itself: one line where the cause is one that can be mended, as for BadSetting and CannotOpen. */
export class CannotWork extends Error {
  override readonly name = 'CannotWork'
}
