/** The failure to find what the pages are made of. */

/** Thrown when the service starts. The message is one line: what is missing, and what to run. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt'

  constructor(path: string) {
    super(`The pages have not been built: there is no ${path}. Run "npm run setup".`)
  }
}
