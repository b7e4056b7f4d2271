/** Prints the figures of a measurement, for `npm run soak` and the like. */

const isWanted = process.env['FIGURES'] === 'yes'

/** Says one line. */
export function printFigure(line: string): void {
  if (isWanted) process.stderr.write(`${line}\n`)
}

/** Bytes in megabytes, to a tenth. */
export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`
