/** A scope that the scheme does not have. */
import { bearer } from 'lapidary'

const token = bearer<{ readonly id: number }, 'stones:read'>('market')

export const auth = token.scopes('stones:write')
