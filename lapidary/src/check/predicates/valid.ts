/** Calls as the description allows them. */
import type { Probe, Probing, Subject } from '../predicate.ts'

/** Methods that change nothing (RFC 9110 §9.2.1). */
export const isSafe = ({ endpoint: { method } }: Subject): boolean => method === 'GET'

/** Whether its handler may be reached. */
export const isOpen = ({ subject, write, isAdmitted }: Pick<Probing, 'subject' | 'write' | 'isAdmitted'>): boolean =>
  isAdmitted && (write || isSafe(subject))

export const valid: Probe = {
  name: 'valid',
  sentence: 'What the description allows is answered as it declares.',
  isAbout: isOpen,
  probe: ({ forAll, request, ask }) =>
    forAll(async (call) => {
      await ask(await request(call), 'valid')
    }),
}
