import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'

type FontSource = PDFKit.Mixins.PDFFontSource

interface ParsedFont {
  layout(text: string, features?: string[]): { glyphs: { codePoints: number[] }[] }
  _glyphs: Record<number, unknown>
}

interface OpenedFont {
  readonly source: FontSource
  /** Clears the font's glyphs. Call this before each document, so that a document does not depend on earlier ones. */
  clearGlyphs(): void
}

/**
 * Opens a font once for many documents, because reading the tables of a TTF takes most of the time of a page. pdfkit
 * accepts it in place of bytes, although its types do not say so.
 */
export function openFont(specifier: string): OpenedFont {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(specifier)))
  const donor: object = new PDFDocument({ font: '', autoFirstPage: false }).font(bytes)
  const opened = '_font' in donor ? donor._font : undefined
  const parsed = typeof opened === 'object' && opened && 'font' in opened ? opened.font : undefined
  if (!isParsedFont(parsed)) throw new Error('this version of pdfkit keeps its fonts elsewhere')
  const layout = parsed.layout.bind(parsed)
  parsed.layout = (text, features) => {
    const run = layout(text, features)
    for (const glyph of run.glyphs) glyph.codePoints = asOneCharacter(glyph.codePoints)
    return run
  }
  return {
    source: parsed as unknown as FontSource,
    clearGlyphs() {
      parsed._glyphs = {}
    },
  }
}

function isParsedFont(value: unknown): value is ParsedFont {
  return typeof value === 'object' && value !== null && 'layout' in value && '_glyphs' in value
}

/**
 * Draws a ligature of lam and alef as the single character of Unicode: PDF viewers reverse copied right-to-left text
 * character by character, and only this form survives.
 */
function asOneCharacter(codePoints: number[]) {
  if (codePoints.length < 2) return codePoints
  const ligature = ligatures.get(String.fromCodePoint(...codePoints))
  return ligature === undefined ? codePoints : [ligature]
}

const ligatures = arabicLigatures()

function arabicLigatures(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const presentationForms = [
    [0xfb50, 0xfdff],
    [0xfe70, 0xfefc],
  ] as const
  for (const [first, last] of presentationForms) {
    for (let code = first; code <= last; code += 1) {
      const letters = String.fromCodePoint(code).normalize('NFKC')
      if (letters.length > 1 && !found.has(letters)) found.set(letters, code)
    }
  }
  return found
}
