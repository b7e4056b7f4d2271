// Loaded into the service before anything else: reports its internal state on request.
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
/** In milliseconds. */
const resolution = 10
const delay = monitorEventLoopDelay({ resolution })
delay.enable()

process.on('message', ({ thorough }) => {
  const held = delay.max / 1_000_000 - resolution
  const cpu = process.cpuUsage()
  if (thorough) collect()
  process.send({
    descriptors: readdirSync('/proc/self/fd').length,
    sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    heap: process.memoryUsage().heapUsed,
    resident: process.memoryUsage.rss(),
    cpu: (cpu.user + cpu.system) / 1_000,
    delay: held,
  })
  delay.reset()
})
// The service ends when it wants to, not when the tests let go of it.
process.channel.unref()
