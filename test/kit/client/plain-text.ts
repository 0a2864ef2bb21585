/** The text with ordinary spaces, and without the characters that keep a date or a time on one line. */
export const plainText = (text: string): string => text.replaceAll('\u00a0', ' ').replaceAll('\u2060', '')

/** For a query by text: finds the text as a person reads it, whatever keeps its dates on one line. */
export const reading =
  (text: string) =>
  (shown: string): boolean =>
    plainText(shown) === plainText(text)
