/** How much work something is, independent of other work of the machine. */

/** Starts to measure. The function that it returns returns the CPU time since then, in milliseconds. */
export function startCpuTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  }
}

/** The CPU time of one run in milliseconds: the best of several, once the compiler has seen it. */
export function cpuTime(run: () => void, repeats = 5): number {
  const once = (): number => {
    const getTime = startCpuTime()
    run()
    return getTime()
  }
  once()
  return Math.min(...Array.from({ length: repeats }, once))
}
