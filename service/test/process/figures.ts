/** What a measurement says of itself, for people: only where somebody has asked for it, as `npm run soak` does. */

const isWanted = process.env['FIGURES'] === 'yes'

/** Says one line. */
export function tell(line: string): void {
  if (isWanted) process.stderr.write(`${line}\n`)
}

/** Bytes in megabytes, to a tenth. */
export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`
