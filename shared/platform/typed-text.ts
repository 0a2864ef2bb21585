/**
 * Control, format, private, unassigned and lone surrogate characters, the separators of lines, and what no font draws. They
 * reorder or hide what a reader sees and the label prints. ZWNJ, ZWJ and the variation selectors belong to the spelling of
 * Persian, Urdu, Mongolian and others: see `joiner`.
 */
export const hiddenCharacters =
  /(?!\u200c|\u200d|\p{Variation_Selector})[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u

/** It changes the sign before it and draws nothing itself: one or two stand behind a letter, a mark or a picture. */
const joiner = '(?:\\u200c|\\u200d|\\p{Variation_Selector})'
const joinersAlone = new RegExp(
  `(^|[^\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])${joiner}+`,
  'gu',
)
const furtherJoiners = new RegExp(`(${joiner}{2})${joiner}+`, 'gu')

const visible = (line: string): string =>
  line
    .replace(/\s/g, ' ')
    .replace(new RegExp(hiddenCharacters, 'gu'), '')
    .replace(joinersAlone, '$1')
    .replace(furtherJoiners, '$1')

/** What was typed, on one line and without characters that reorder or hide what its reader sees. */
export const oneLine = (typed: string): string =>
  visible(typed.normalize('NFC')).replace(/ {2,}/g, ' ').trim()

/** The same with its lines and at most one empty one between two. */
export const severalLines = (typed: string): string =>
  typed
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => visible(line).trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** By the word of a schema (`x-typed`): what a request is checked for, and what the server is given. */
export const typedForms = { line: oneLine, lines: severalLines } as const

/** What a cleaned text needs so that its readers can read it, by the word of a schema (`x-readable`). */
export const readableForms = {
  letters: (text: string) => /\p{L}/u.test(text),
  'letters-or-digits': (text: string) => /[\p{L}\p{N}]/u.test(text),
} as const

/** Characters of a reason. It is kept for two years, and other staff read it. */
export const reasonLength = { least: 5, most: 300 } as const

/** Whether the server takes what a form holds at this moment. */
export const isReadableText = (typed: string, least: number): boolean => {
  const text = severalLines(typed)
  return text.length >= least && readableForms.letters(text)
}
