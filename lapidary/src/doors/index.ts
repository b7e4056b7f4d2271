/** The public door of the description: `lapidary`. */
export * from '../describe/index.ts'
