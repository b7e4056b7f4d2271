/** The failure to open a database when the service starts. */

/** Thrown by `open`. The message is one line that names the database, what is wrong with it and, where there is one, a cure. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
}
