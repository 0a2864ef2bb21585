/**
 * Characters that reorder or hide what a reader sees and the label prints. ZWNJ, ZWJ and variation selectors are not
 * among them, because Persian, Urdu, Mongolian and other languages need them.
 */
export const hiddenCharacters =
  /(?!\u200c|\u200d|\p{Variation_Selector})[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u

/** Joiners are invisible: at most two can follow a letter, a mark or a picture. */
const joiner = '(?:\\u200c|\\u200d|\\p{Variation_Selector})'
const joinersAlone = new RegExp(
  `(^|[^\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])${joiner}+`,
  'gu',
)
const furtherJoiners = new RegExp(`(${joiner}{2})${joiner}+`, 'gu')

const visible = (line: string) =>
  line
    .replace(/\s/g, ' ')
    .replace(new RegExp(hiddenCharacters, 'gu'), '')
    .replace(joinersAlone, '$1')
    .replace(furtherJoiners, '$1')

export const oneLine = (typed: string): string =>
  visible(typed.normalize('NFC')).replace(/ {2,}/g, ' ').trim()

export const severalLines = (typed: string): string =>
  typed
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => visible(line).trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

export const typedForms = { line: oneLine, lines: severalLines } as const

export const readableForms = {
  letters: (text: string) => /\p{L}/u.test(text),
  'letters-or-digits': (text: string) => /[\p{L}\p{N}]/u.test(text),
} as const

export const reasonLength = { least: 5, most: 300 } as const

export const isReadableText = (typed: string, least: number): boolean => {
  const text = severalLines(typed)
  return text.length >= least && readableForms.letters(text)
}
