/** How much work something is, independent of other work of the machine. */

/** The CPU time of one run in milliseconds: the best of several, once the compiler has seen it. */
export function cpuTime(run: () => void, repeats = 5): number {
  const once = (): number => {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  }
  once()
  return Math.min(...Array.from({ length: repeats }, once))
}
