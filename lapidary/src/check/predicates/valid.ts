/** Calls as the description allows them. */
import type { EndpointUnderTest, Probe, ProbeContext } from '../predicate.ts'

/** Methods that change nothing (RFC 9110 §9.2.1). */
export const isSafeEndpoint = ({ endpoint: { method } }: EndpointUnderTest): boolean => method === 'GET'

/** Whether its handler may be reached. */
export const canReachHandler = ({
  subject,
  write,
  isAuthorized: isAdmitted,
}: Pick<ProbeContext, 'subject' | 'write' | 'isAuthorized'>): boolean => isAdmitted && (write || isSafeEndpoint(subject))

export const validRule: Probe = {
  name: 'valid',
  description: 'What the description allows is answered as it declares.',
  appliesTo: canReachHandler,
  probe: ({ forAll, buildRequest: request, send: ask }) =>
    forAll(async (call) => {
      await ask(await request(call), 'valid')
    }),
}
