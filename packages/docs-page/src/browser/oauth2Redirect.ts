/** The script of the page to which an OAuth 2.0 server sends the user back: hands the result to the documentation page, which opened it. */

// A channel, and not `window.opener`: many login pages, and `Cross-Origin-Opener-Policy`, cut the opener off.
const channel = new BroadcastChannel('lapidary-docs-oauth2')
channel.postMessage((location.hash || location.search).slice(1))
channel.close()
close()
