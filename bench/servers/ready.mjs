/** What every measured server does besides serving: it says where it listens, and what it has used so far. */

/** @param {number} port */
export function ready(port) {
  process.stdout.write(`${JSON.stringify({ port })}\n`)
  process.on('message', (message) => {
    if (message === 'usage') process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss })
  })
  process.on('disconnect', () => process.exit())
}
