/** What `@lapidary/cli` use besides the public entry points. It may change in any version. */
export { isSecretName } from './check/secrets.ts'
export { checkManifest } from './diff/checkManifest.ts'
export { createMockHandler } from './mock/createMockHandler.ts'
export type { AnyMockOptions } from './mock/options.ts'
export { escapeControls, escapeControlsInLine } from './terminal.ts'
