/** What `@lapidary/cli` uses besides the public entry point. It may change in any version. */
export { getAcceptHeader } from './check/acceptHeader.ts'
export { isUnreachableError, ServerUnreachableError } from './check/exchange.ts'
export { summarizeFaults } from './check/faults.ts'
export { formatLeftBehind } from './check/formatReport.ts'
export { isSecretName, listAuthHeaderNames, type WrittenCredentials, writeCredentials } from './check/secrets.ts'
export { quoteForShell } from './check/shellBytes.ts'
export { explainUnserved, listWarnings } from './check/success.ts'
export { checkManifest } from './diff/manifestCheck.ts'
export { ComparisonTimeoutError } from './diff/timeLimit.ts'
export {
  escapeControls,
  escapeControlsInLine,
  escapeWorkflowCommands,
  noTerminalColor,
  type TerminalColor,
  terminalColors,
} from './terminal.ts'
