/** The faults that tests add to the service. Real services have had each of them. */
import type { Faults } from './faults/change.ts'
import { requestFaults } from './faults/requests.ts'
import { responseFaults } from './faults/responses.ts'
import { stateFaults } from './faults/state.ts'

/** Every fault, under what it is about. */
export const faults: Faults = { ...requestFaults, ...responseFaults, ...stateFaults }
