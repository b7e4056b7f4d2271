/** Passes on what a worker writes, line by line: many processes share one output, and a long line is not written at once. */

const lineFeed = 0x0a

/** A function to give the bytes to as they come. A line that is never finished, because its writer was killed, is never passed on. */
export function wholeLines(pass: (lines: string) => void): (bytes: Buffer) => void {
  let begun: Buffer[] = []
  return (bytes) => {
    const end = bytes.lastIndexOf(lineFeed) + 1
    if (end > 0) {
      pass(Buffer.concat([...begun, bytes.subarray(0, end)]).toString())
      begun = []
    }
    if (end < bytes.length) begun.push(bytes.subarray(end))
  }
}
