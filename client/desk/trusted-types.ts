/*
 * antd writes its styles with `innerHTML`, through no policy of its own. A style sheet contains no `<`, and text without one
 * cannot create elements: that passes, and all other text is refused. The app of pilgrims and agents has no such policy.
 */

/** `null` refuses: the browser then throws and reports a violation. */
export function plainOrRefused(text: string): string | null {
  return text.includes('<') ? null : text
}

// The policy must exist before the first render.
window.trustedTypes?.createPolicy('default', { createHTML: plainOrRefused })
