import { basic, optional } from 'lapidary'

export const auth = optional(basic<string>('people'), { invalid: true })
