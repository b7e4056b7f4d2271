/** A scheme with scopes, and an authenticator that does not know which a user has. */
import { bearer } from 'lapidary'
import { authenticate } from 'lapidary/server'

const token = bearer<{ readonly id: number }, 'stones:read'>('market')

export const authenticator = authenticate(token, () => ({ id: 1 }))
