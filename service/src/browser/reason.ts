/** Why a call failed, in words for a reader. */
import { HttpError } from 'lapidary'
import { ConnectionError } from 'lapidary/client'

export function reason(error: unknown): string {
  if (error instanceof ConnectionError) return 'The service does not answer.'
  if (error instanceof HttpError) return `The service answered ${error.status}. ${error.detail ?? error.reason}`
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The service has not answered in time.'
  return String(error)
}
