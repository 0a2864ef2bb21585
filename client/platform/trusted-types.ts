/*
 * Under the content policy of our documents a text becomes markup, script or a script's address only through a policy
 * (Trusted Types). antd writes its styles with `innerHTML`; a style sheet has no `<` in it, and what has none can make
 * no element. Nothing else gets through. It must run before anything that draws.
 */

interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML: (text: string) => string | null }): unknown
}

declare global {
  // Not in every browser yet, and so not in the types of the DOM.
  interface Window {
    readonly trustedTypes?: TrustedTypes
  }
}

/** `null` is a refusal: the browser then throws, and reports. */
export function plainOrRefused(text: string): string | null {
  return text.includes('<') ? null : text
}

window.trustedTypes?.createPolicy('default', { createHTML: plainOrRefused })
