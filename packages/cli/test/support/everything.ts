/** The API that has every word once, as the command line finds it in a folder. */
export * from '../../../lapidary/test/support/everything.ts'
