import type { ResourceLanguage } from 'i18next'

/*
 * A right-to-left pseudo-language for development: `?pseudo` shows it in the place of Arabic until `?pseudo=off`.
 * A word on the screen without accents and brackets comes from no catalogue; a bracket that is missing was clipped.
 */

const storageKey = 'pseudo'

/** Whether this tab shows the pseudo-language; the address decides, and the tab remembers. */
export function isPseudoWanted(search: string): boolean {
  const asked = new URLSearchParams(search).get(storageKey)
  try {
    if (asked !== null) sessionStorage.setItem(storageKey, asked === 'off' ? '' : 'on')
    return sessionStorage.getItem(storageKey) === 'on'
  } catch {
    return asked !== null && asked !== 'off'
  }
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ú',
  y: 'ý',
  A: 'Å',
  C: 'Ç',
  E: 'É',
  I: 'Î',
  N: 'Ñ',
  O: 'Ø',
  S: 'Š',
  U: 'Ü',
}

/** Arabic and German texts are up to 40 % longer than English ones; short ones more. */
const growth = 0.4

/** `Pay {{amount}}` becomes `⟦Páý {{amount}} ····⟧`, in a run that reads from right to left. Placeholders stay. */
export function pseudoText(text: string): string {
  const accented = text
    .split(/(\{\{[^}]*\}\})/)
    .map((part) =>
      part.startsWith('{{') ? part : part.replace(/[a-zA-Z]/g, (letter) => accents[letter] ?? letter),
    )
    .join('')
  const more = '·'.repeat(Math.ceil(text.length * growth))
  return `\u2067⟦${accented} ${more}⟧\u2069`
}

const arabicForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** The English texts of a room, made to stand in the place of its Arabic ones with all six plural forms. */
export function pseudoTexts(english: ResourceLanguage): ResourceLanguage {
  const texts: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(english)) {
    if (typeof value !== 'string') {
      texts[key] = pseudoTexts(value)
      continue
    }
    const base = /^(.*)_other$/.exec(key)?.[1]
    if (base === undefined) texts[key] = pseudoText(value)
    else for (const form of arabicForms) texts[`${base}_${form}`] = pseudoText(value)
  }
  return texts as ResourceLanguage
}
