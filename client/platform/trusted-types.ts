/*
 * The content policy requires Trusted Types: text becomes markup, script or a script URL only through a policy. antd
 * writes its styles with `innerHTML`; a style sheet contains no `<`, and text without one cannot create elements. All
 * other text is refused. Must run before the first render.
 */

interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML: (text: string) => string | null }): unknown
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

window.trustedTypes?.createPolicy('default', { createHTML: plainOrRefused })
