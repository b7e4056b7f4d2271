/** The deployments that one process can serve, side by side. */

export type Deployment = 'main' | 'pagination' | 'docs'

/** Every deployment, in the order in which they start. */
export const deployments: readonly Deployment[] = Object.freeze(['main', 'pagination', 'docs'])
