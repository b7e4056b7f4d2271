/** Writes lines together: under load a write of the system for each would take longer than the requests they tell of. */
import type { DestinationStream } from 'pino'

/** How long a line may wait for others, in milliseconds. */
const longest = 10
/** More than this, in characters, does not wait. */
const most = 65_536

/** The same stream, to which lines are written together. Nothing is left when the process ends, unless it is killed. */
export function gathered(stream: DestinationStream): DestinationStream & { readonly flushSync: () => void } {
  let lines = ''
  const flushSync = (): void => {
    const written = lines
    lines = ''
    if (written !== '') stream.write(written)
  }
  process.on('exit', flushSync)
  return {
    write: (line) => {
      // Whoever ends before writes them as well.
      if (lines === '') setTimeout(flushSync, longest).unref()
      lines += line
      if (lines.length > most) flushSync()
    },
    flushSync,
  }
}
