/**
 * How many samples a property draws: with `SAMPLES=whole` all, and in `npm test` a quarter, which still finds what is commonly wrong. Each run
 * has other samples, unless the property has a seed.
 */
export const samples = (all: number): number => (process.env['SAMPLES'] === 'whole' ? all : Math.ceil(all / 4))
