/** Takes a stream of bytes apart into lines, a piece at a time. */

const feed = 0x0a

/** The lines of each piece; undefined stands for one that is longer than `longest` bytes. The last one needs no line feed. */
export async function* lines(pieces: AsyncIterable<Buffer>, longest: number): AsyncGenerator<readonly (Buffer | undefined)[]> {
  let rest: Buffer | undefined = Buffer.alloc(0)
  const longer = (begun: Buffer | undefined, more: Buffer): Buffer | undefined =>
    begun === undefined || begun.length + more.length > longest ? undefined : Buffer.concat([begun, more])
  for await (const piece of pieces) {
    const found: (Buffer | undefined)[] = []
    let start = 0
    for (let end = piece.indexOf(feed); end >= 0; end = piece.indexOf(feed, start)) {
      found.push(longer(rest, piece.subarray(start, end)))
      rest = Buffer.alloc(0)
      start = end + 1
    }
    rest = longer(rest, piece.subarray(start))
    yield found
  }
  if (rest?.length !== 0) yield [rest]
}
