export const emailMaxLength = 254

/** HTML allows e-mail addresses of this form, but our domains need at least two labels that DNS accepts. */
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

/** Returns lower case: no provider that pilgrims use is known to distinguish `A@…` from `a@…`. */
export function readEmail(typed: string): string | undefined {
  const text = inAscii(typed.replace(invisible, '').trim().toLowerCase())
  return text.length <= emailMaxLength && form.test(text) ? text : undefined
}

/** Converts `ali@münchen.de` to `ali@xn--mnchen-3ya.de` (RFC 5891). */
function inAscii(text: string) {
  const [local, domain = '', ...rest] = text.split('@')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (rest.length > 0 || /^[\x00-\x7f]*$/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return text
  try {
    return `${local}@${new URL(`http://${domain}`).hostname}`
  } catch {
    return text
  }
}
