/*
 * The content policy requires Trusted Types: text becomes markup, script or a script URL only through a policy. The app has
 * one, and it is for the service worker alone; all text that would become markup is refused.
 */

/** The service worker (client/worker). At the root, because it may control only pages below its path. */
const workerUrl = '/sw.js'

interface ScriptPolicy {
  createScriptURL(url: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy
}

declare global {
  // Not supported by every browser yet, so not in TypeScript's DOM types.
  interface Window {
    readonly trustedTypes?: TrustedTypes
  }
}

/** The one script URL of the app. Asked for once per document: a second policy of the name is refused. */
export function trustedWorkerUrl(): string {
  const policy = globalThis.window?.trustedTypes?.createPolicy('service-worker', {
    createScriptURL: () => workerUrl,
  })
  return policy?.createScriptURL('') ?? workerUrl
}
