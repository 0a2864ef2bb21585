/*
 * The content policy requires Trusted Types: text becomes markup, script or a script URL only through a policy. antd
 * writes its styles with `innerHTML`; a style sheet contains no `<`, and text without one cannot create elements. All
 * other text is refused. The one script URL is that of the service worker. Must run before the first render.
 */

/** The service worker (client/worker). At the root, because it may control only pages below its path. */
export const workerUrl = '/sw.js'

interface TrustedTypes {
  createPolicy(
    name: 'default',
    rules: { createHTML: (text: string) => string | null; createScriptURL: (url: string) => string | null },
  ): unknown
}

declare global {
  // Not supported by every browser yet, so not in TypeScript's DOM types.
  interface Window {
    readonly trustedTypes?: TrustedTypes
  }
}

/** `null` refuses: the browser then throws and reports a violation. */
export function plainOrRefused(text: string): string | null {
  return text.includes('<') ? null : text
}

/** `null` refuses. */
export function workerOrRefused(url: string): string | null {
  return url === workerUrl ? url : null
}

// Prerendering imports this module too.
globalThis.window?.trustedTypes?.createPolicy('default', {
  createHTML: plainOrRefused,
  createScriptURL: workerOrRefused,
})
