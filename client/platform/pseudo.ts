import { readStored, store } from './browser-storage.ts'
import type { Texts } from './catalogues.ts'

/*
 * A right-to-left pseudo-language for development: `?pseudo` shows it instead of Arabic until `?pseudo=off`.
 * A word without accents and brackets does not come from a catalogue; a missing bracket was clipped.
 */

/** Whether this tab shows the pseudo-language. `?pseudo` in the address decides, and is stored for the tab. */
export function isPseudoWanted(search: string): boolean {
  const asked = new URLSearchParams(search).get('pseudo')
  if (asked === null) return readStored('pseudo') === 'on'
  store('pseudo', asked === 'off' ? '' : 'on')
  return asked !== 'off'
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

/** The English texts of a feature as pseudo-language, with all six Arabic plural forms. */
export function pseudoTexts(english: Texts): Texts {
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
  return texts as Texts
}
