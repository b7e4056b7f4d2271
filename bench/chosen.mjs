/** Options of several benchmarks: the servers, the workloads, and the numbers of rounds and requests. */

import { resultsFolder } from './circumstances.mjs'
import { contestants } from './contestants.mjs'
import { count, stop } from './say.mjs'
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
 * The ones of these names, in that order; without names, all. The same one may be named more than once, and then a number distinguishes its copies.
 * @param {string | undefined} names
 */
export const chosenContestants = (names) =>
  names === undefined
    ? contestants
    : names.split(',').map((name, index, all) => {
        const found = contestants.find((contestant) => contestant.name === name)
        if (found === undefined) return stop(`--servers ${name}: expected some of ${contestants.map((one) => one.name).join(', ')}`)
        return all.indexOf(name) === index ? found : { ...found, name: `${name}#${index + 1}` }
      })

/**
 * @param {string | undefined} names
 * @param {import('./contestants.mjs').Contestant} baseline  its workloads are the possible ones
 */
export function chosenWorkloads(names, baseline) {
  const all = Object.keys(workloads)
  for (const name of names?.split(',') ?? []) if (!all.includes(name)) stop(`--only ${name}: expected some of ${all.join(', ')}`)
  return (names?.split(',') ?? all).filter((name) => !Object.hasOwn(baseline.without, name))
}

/** How often, from the values of the options. */
export const often = ({ quick, rounds, requests, connections }) => ({
  rounds: count('rounds', rounds ?? (quick ? '2' : '5')),
  requests: count('requests', requests ?? (quick ? '1000' : '20000')),
  connections: count('connections', connections),
})

/** The folder for the results: `--results`, else `bench/results/` when everything was measured. */
export const resultsIn = ({ quick, only, servers, rounds, requests, results }) =>
  results ?? (quick || [only, servers, rounds, requests].some((value) => value !== undefined) ? undefined : resultsFolder)
