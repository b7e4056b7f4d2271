/** What every measured server does besides serving: it says where it listens, and what it has used so far. */

/** @param {number} port @param {Readonly<Record<string, number>>} others  further ports, by their names */
export function ready(port, others = {}) {
  process.stdout.write(`${JSON.stringify({ port, ...others })}\n`)
  process.on('message', (message) => {
    if (message === 'usage') process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss })
  })
  process.on('disconnect', () => process.exit())
}
