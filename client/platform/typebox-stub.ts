/*
 * Replaces typebox in the browser's bundle (vite.config.ts), which saves 15 kB. The browser uses only methods, paths and
 * constants of the shared contract; it needs schemas as types only.
 */
const build = (first?: unknown) => ({ properties: first ?? {} })

/** Every builder returns an object with `properties`, because schemas reuse each other's properties. */
// biome-ignore lint/style/noDefaultExport: typebox is imported by its default export
export default new Proxy({}, { get: () => build })
