import { basic, group, mount } from 'lapidary'
import { serve } from 'lapidary/server'

const api = group({ auth: basic<string>('people') }, { files: mount('/files') })
export const server = serve(api, { files: () => ({ status: 200, headers: [], body: null }) })
