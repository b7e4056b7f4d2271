/** One API on both adapters of Node.js: suites that judge a server judge each of them. */
import { connect } from 'node:net'
import { listen as listenOnLlhttp } from '@lapidary/llhttp'
import { listen as listenOnNode } from 'lapidary/node'

const adapters = { node: listenOnNode, llhttp: listenOnLlhttp }

/**
 * Listens on each adapter, and calls a function with its name and its URL.
 *
 * @param {import('lapidary/server').Server} server
 * @param {(url: string, adapter: string) => Promise<void>} use
 */
export async function onEachAdapter(server, use) {
  for (const [adapter, listen] of Object.entries(adapters)) {
    const running = await listen(server, { port: 0 })
    try {
      await use(running.url, adapter)
    } finally {
      await running.close({ drain: 0 })
    }
  }
}

/**
 * Sends bytes over a socket, and returns what comes back until the server closes the connection or a time is over.
 *
 * @param {string} url
 * @param {string | Uint8Array} bytes
 * @param {number} milliseconds how long to wait for the end
 * @param {(text: string) => boolean} isWhole whether what has come is all that is needed
 */
export const exchangeBytes = (url, bytes, milliseconds, isWhole = () => false) =>
  /** @type {Promise<string>} */ (
    new Promise((resolve) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      let text = ''
      const end = () => {
        clearTimeout(timer)
        socket.destroy()
        resolve(text)
      }
      const timer = setTimeout(end, milliseconds)
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += chunk
        if (isWhole(text)) end()
      })
      socket.on('error', end).on('close', end)
      socket.write(bytes)
    })
  )
