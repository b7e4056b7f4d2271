/** When, where and with which software something was measured. */
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', import.meta.url), 'utf8'))
const own = JSON.parse(readFileSync(new URL('../packages/lapidary/package.json', import.meta.url), 'utf8'))

/** @param {string} name of a package */
export const getVersion = (name) => (name === own.name ? own.version : packages[`node_modules/${name}`].version)

/** @param {Iterable<string>} names of packages; the result has each once */
export const listVersions = (names) => [...new Set(names)].sort().map((name) => `${name} ${getVersion(name)}`)

/** @param {readonly string[]} software  besides Node.js */
export function describeEnvironment(software) {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return {
    date: new Date().toISOString(),
    machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${memory}, ${process.platform} ${process.arch}`,
    software: [`Node ${process.versions.node}`, ...software],
  }
}

/** Formats it as the first lines of a report. @param {ReturnType<typeof describeEnvironment>} environment */
export const formatEnvironment = ({ date, machine, software }) => `${date}, ${machine}\n${software.join(', ')}\n`

/** The folder of the results that the README shows. */
export const resultsFolder = fileURLToPath(new URL('results', import.meta.url))
