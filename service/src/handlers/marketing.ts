/** The marketing email for one client. */
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'

/** `from` is the sender of every email. */
export const marketing =
  (from: string): Handlers<typeof main>['marketing'] =>
  ({ body: { clientName, clientEmail, clientAge, clientInterestedIn } }) => ({
    from,
    to: clientEmail,
    subject: `Hey ${clientName}, we miss you!`,
    body:
      `Hi ${clientName},\n\nSince you've recently turned ${clientAge}, ` +
      `have you checked out our latest ${clientInterestedIn.join(', ')} products? Give us a visit!`,
  })
