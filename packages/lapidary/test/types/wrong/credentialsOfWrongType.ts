/** Credentials of another kind than their scheme takes. */
import { basic } from 'lapidary'
import { credentials } from 'lapidary/client'

export const shown = credentials(basic<string>('people'), { user: 'ann', password: 'secret' })
