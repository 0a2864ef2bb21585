/*
 * Stands in for typebox in the browser's bundle (vite.config.ts). The browser reads only methods, paths and
 * constants of the shared contract; schemas are types to it, and 15 kB of schema builder would wait on every visit.
 */
const build = (first?: unknown) => ({ properties: first ?? {} })

/** Every builder answers something that has `properties`, because contracts borrow from each other by them. */
// biome-ignore lint/style/noDefaultExport: typebox is imported by its default export
export default new Proxy({}, { get: () => build })
