/** A check gives another user than its scheme promises. */
import { basic } from 'lapidary'
import { authenticate } from 'lapidary/server'

const people = basic<{ readonly name: string }>('people')

export const checked = authenticate(people, ({ username }) => ({ nickname: username }))
