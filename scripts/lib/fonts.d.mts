/** Where `writeFonts` writes. */
export const fontsFolder: string
/** Writes the cut fonts and their style sheet `cairo.css`. */
export function writeFonts(): Promise<void>
