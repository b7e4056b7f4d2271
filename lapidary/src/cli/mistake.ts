/** A failure that whoever runs the command can mend: said in a sentence, without a stack. */

/** Its message is for people, its exit code for scripts. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** 1: it failed. 2: the command was used wrongly. */
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** What a failed system call says, without its code and its path: `no such file or directory`. */
export function getErrorReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^E[A-Z]+: /, '').replace(/, \w+( '.*')?$/s, '')
}

/** The result of work that toolkit or API may refuse with a TypeError, in sentences for the programmer. */
export async function convertTypeErrors<Result>(exitCode: 1 | 2, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TypeError ? new CliError(exitCode, error.message, { cause: error }) : error
  }
}
