/**
 * Control, format, private, unassigned and lone surrogate characters, and the separators of lines. They reorder or
 * hide what a reader sees and the label prints. ZWNJ and ZWJ belong to the spelling of Persian, Urdu and others.
 */
export const hiddenCharacters = /[^\P{C}\u200c\u200d]|[\u2028\u2029]/u

const visible = (line: string): string =>
  line.replace(/\s/g, ' ').replace(new RegExp(hiddenCharacters, 'gu'), '')

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

/** Of a reason, which is kept for two years and read by other staff. */
export const reasonLength = { least: 5, most: 300 } as const
