/**
 * The oldest browsers that the app supports, as Vite's `build.target` reads them: syntax and styles are built for them.
 * Interfaces are checked in the built files by test/api/browser-floor.test.ts (docs/decisions/0001-runtime.md).
 */
export const browserFloor = ['ios16.4', 'safari16.4', 'chrome111', 'firefox128']
