/** Options of several benchmarks: the servers, the workloads, and the numbers of rounds and requests. */

import { resultsFolder } from './environment.mjs'
import { frameworks } from './frameworks.mjs'
import { parseCount, stop } from './log.mjs'
import { workloads } from './workloads.mjs'

const string = /** @type {const} */ ('string')

export const options = {
  quick: { type: /** @type {const} */ ('boolean'), default: false },
  only: { type: string },
  servers: { type: string },
  rounds: { type: string },
  requests: { type: string },
  connections: { type: string, default: '50' },
  results: { type: string },
}

/**
 * Returns the frameworks of these names, in that order; without names, all. The same one may be named more than once, and then a number distinguishes its copies.
 * @param {string | undefined} names
 */
export const selectFrameworks = (names) =>
  names === undefined
    ? frameworks
    : names.split(',').map((name, index, all) => {
        const found = frameworks.find((framework) => framework.name === name)
        if (found === undefined) return stop(`--servers ${name}: expected some of ${frameworks.map((one) => one.name).join(', ')}`)
        return all.indexOf(name) === index ? found : { ...found, name: `${name}#${index + 1}` }
      })

/**
 * @param {string | undefined} names
 * @param {import('./frameworks.mjs').Framework} baseline  its workloads are the possible ones
 */
export function selectWorkloads(names, baseline) {
  const all = Object.keys(workloads)
  for (const name of names?.split(',') ?? []) if (!all.includes(name)) stop(`--only ${name}: expected some of ${all.join(', ')}`)
  return (names?.split(',') ?? all).filter((name) => !Object.hasOwn(baseline.without, name))
}

/** Parses how many rounds, requests and connections there are, from the values of the options. */
export const parseCounts = ({ quick, rounds, requests, connections }) => ({
  rounds: parseCount('rounds', rounds ?? (quick ? '2' : '5')),
  requests: parseCount('requests', requests ?? (quick ? '1000' : '20000')),
  connections: parseCount('connections', connections),
})

/** Returns the folder for the results: `--results`, else `bench/results/` when everything was measured. */
export const findResultsFolder = ({ quick, only, servers, rounds, requests, results }) =>
  results ?? (quick || [only, servers, rounds, requests].some((value) => value !== undefined) ? undefined : resultsFolder)
