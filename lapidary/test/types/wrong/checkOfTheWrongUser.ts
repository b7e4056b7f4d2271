/** A check gives another user than its scheme promises. */
import { basic } from 'lapidary'
import { check } from 'lapidary/server'

const people = basic<{ readonly name: string }>('people')

export const checked = check(people, ({ username }) => ({ nickname: username }))
