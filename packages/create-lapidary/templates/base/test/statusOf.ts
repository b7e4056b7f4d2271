/** What a call of the client ends with. */
import { isHttpError } from 'lapidary'

/** Resolves to the status of the error that a call rejects with, and to 200 for any call that succeeds. */
export const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error) => {
      if (isHttpError(error)) return error.status
      throw error
    },
  )
