/** A mount below a prefix with captures. */
import { mount, prefix } from 'lapidary'
import { serve } from 'lapidary/server'

export const server = serve(prefix('/users/:id', { files: mount('/files') }), {})
