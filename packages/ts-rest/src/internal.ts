/** What `@lapidary/cli` uses besides the public entry point. It may change in any version. */
export { isRoute, type RuntimeRouter } from './contract.ts'
export { type Migration, writeMigration } from './migration/writeMigration.ts'
