/** The bindings of the worker, as `wrangler types` writes them. */
declare namespace Cloudflare {
  interface Env {
    readonly GREETING: string
  }
}
