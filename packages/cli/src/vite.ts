/** `@lapidary/cli/vite`: the module of routes of the light client, written by Vite. */
export { lapidaryRoutes, type RoutesPlugin, type RoutesPluginOptions } from './vitePlugin.ts'
