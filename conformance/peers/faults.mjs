/** The servers with faults, and the document that each tool gets. */
import { register } from 'tsx/esm/api'
import { addExamples } from './examples.mjs'

/**
 * @typedef {object} StartedServer
 * @property {string} url
 * @property {() => Promise<unknown>} close
 *
 * @typedef {object} PlantedFault
 * @property {string} group     the row of the table
 * @property {string} sentence
 * @property {() => Promise<StartedServer>} start
 *
 * @typedef {object} FaultySystem  a document, its right server, and servers with one fault each
 * @property {string} name
 * @property {object} document     OpenAPI 3.0, since Dredd reads no later version
 * @property {string} charset      the parameter of JSON and text in Content-Type
 * @property {Readonly<Record<string, unknown>>} [examples]  of parameters, by their names
 * @property {string | { username: string, password: string }} [credentials]
 * @property {() => Promise<StartedServer>} startRight
 * @property {readonly PlantedFault[]} faults
 */

/** @returns {Promise<readonly FaultySystem[]>} */
export async function createSystems() {
  register()
  const { createPlanted } = await import('./planted.mjs')
  const { createStones } = await import('./stones.mjs')
  const systems = [...(await createPlanted()), await createStones()]
  for (const { document, examples } of systems) await addExamples(document, examples)
  return systems
}
