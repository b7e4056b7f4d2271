/** The faults that tests add to the service. Real services have had each of them. */
import type { Faults } from './faults/change.ts'
import { ofAnswers } from './faults/ofAnswers.ts'
import { ofRequests } from './faults/ofRequests.ts'
import { ofState } from './faults/ofState.ts'

/** Every fault, under what it is about. */
export const faults: Faults = { ...ofRequests, ...ofAnswers, ...ofState }
