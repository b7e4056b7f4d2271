/** What an OAuth 2.0 server says at the end of a login (RFC 6749 §4.1.2, §4.2.2), handed to Swagger UI. */

/** What Swagger UI keeps of a login that it has begun. */
interface PendingLogin {
  readonly auth: { readonly name: string; code?: string; readonly schema: { get(name: 'flow'): string } }
  readonly state: string
  readonly redirectUrl: string
  readonly callback: (result: Readonly<Record<string, unknown>>) => void
  readonly errCb: (error: Readonly<Record<'authId' | 'source' | 'level' | 'message', string>>) => void
}

declare global {
  interface Window {
    swaggerUIRedirectOauth2?: PendingLogin
  }
}

/** Returns the sentence for a login that has failed; undefined if it has not. */
function findFailure({ auth, state }: PendingLogin, result: URLSearchParams): string | undefined {
  // A result without the state of this login belongs to another one, which an attacker may have begun (RFC 6749 §10.12).
  if (result.get('state') !== state) return 'The result belongs to another login. Try again.'
  const error = result.get('error')
  if (error !== null) return `The login failed: ${result.get('error_description') ?? error}.`
  const name = auth.schema.get('flow') === 'implicit' ? 'access_token' : 'code'
  return result.has(name) ? undefined : `The login failed: the result has no ${name}.`
}

function finishLogin(login: PendingLogin, result: URLSearchParams): void {
  const { auth, redirectUrl, callback, errCb } = login
  const message = findFailure(login, result)
  if (message !== undefined) errCb({ authId: auth.name, source: 'auth', level: 'error', message })
  else if (auth.schema.get('flow') === 'implicit') callback({ auth, token: Object.fromEntries(result), isValid: true, redirectUrl })
  else callback({ auth: Object.assign(auth, { code: result.get('code') as string }), redirectUrl })
}

/** Receives the results of logins from the page to which the OAuth 2.0 server sends the user back. */
export function receiveOAuth2Results(): void {
  new BroadcastChannel('lapidary-docs-oauth2').addEventListener('message', ({ data }) => {
    const login = window.swaggerUIRedirectOauth2
    if (login === undefined) return
    delete window.swaggerUIRedirectOauth2
    finishLogin(login, new URLSearchParams(String(data)))
  })
}
