import bidiFactory from 'bidi-js'

/**
 * pdfkit orders words of bidirectional text wrongly, and its right-to-left feature also reverses digits
 * (docs/wires/shipping.md S30), so runs of one direction are drawn separately.
 */

export type Direction = 'ltr' | 'rtl'

export interface TextRun {
  readonly text: string
  readonly isRightToLeft: boolean
}

type MeasureRun = (run: TextRun) => number

const bidi = bidiFactory()

const strongRightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/
const leftToRightIsolate = '\u2066'
const popIsolate = '\u2069'
/** The joiners U+200C and U+200D are not among these characters, because they shape letters. */
const invisible = /[\p{Cc}\u200B\u200E\u200F\u061C\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu
const isolates = /[\u2066\u2069]/g

/** Digits become 0–9, because the font engine reverses Arabic-Indic digits. */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s/g, ' ')
    .replace(invisible, '')
    .replace(/ +/g, ' ')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .trim()
}

export function directionOf(text: string): Direction {
  for (const char of text) {
    if (strongRightToLeft.test(char)) return 'rtl'
    if (/\p{L}/u.test(char)) return 'ltr'
  }
  return 'ltr'
}

export function runsOf(line: string, direction: Direction): TextRun[] {
  // In Arabic text the plus sign of a phone number would move behind its digits without an isolate.
  const text = line.replace(/\+\d[\d ]*\d/g, (number) => leftToRightIsolate + number + popIsolate)
  const embedding = bidi.getEmbeddingLevels(text, direction)
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels)
  const runs: TextRun[] = []
  let letters = ''
  let level = -1
  const close = () => {
    const visible = letters.replace(isolates, '')
    if (visible !== '') runs.push(drawable(visible, level))
    letters = ''
  }
  for (const index of bidi.getReorderedIndices(text, embedding)) {
    const levelHere = embedding.levels[index] ?? 0
    const char = mirrored.get(index) ?? text.charAt(index)
    if (levelHere !== level) close()
    level = levelHere
    letters = level % 2 === 1 ? char + letters : letters + char
  }
  close()
  return runs
}

function drawable(text: string, level: number): TextRun {
  if (level % 2 === 0) return { text, isRightToLeft: false }
  if (strongRightToLeft.test(text)) return { text, isRightToLeft: true }
  // The font engine derives the direction from letters, so a right-to-left run without letters is reversed here.
  return { text: [...text].reverse().join(''), isRightToLeft: false }
}

interface FitRequest {
  readonly text: string
  readonly direction: Direction
  readonly width: number
  readonly height: number
  readonly lineHeight: number
  readonly maxSize: number
  readonly minSize: number
  readonly measure: MeasureRun
}

interface FittedText {
  readonly lines: readonly string[]
  readonly size: number
}

const sizeStep = 0.25
const ellipsis = '…'

/** At the smallest size, a word that is too wide is divided, and a text that is too long ends in an ellipsis. */
export function fitText(request: FitRequest): FittedText {
  const { text, direction, width, height, lineHeight, maxSize, minSize, measure } = request
  if (text === '') return { lines: [], size: maxSize }
  const widthOf = cachedWidth((line) => runsOf(line, direction).reduce((sum, run) => sum + measure(run), 0))
  const linesAt = (size: number) => Math.floor(height / (size * lineHeight))
  for (let size = maxSize; size > minSize; size -= sizeStep) {
    const lines = wrap(text, (line) => widthOf(line) * size <= width)
    if (lines && lines.length <= linesAt(size)) return { lines, size }
  }
  const fits = (line: string) => widthOf(line) * minSize <= width
  const lines = wrapAnywhere(text, fits)
  const maxLines = Math.max(1, linesAt(minSize))
  return { lines: lines.length <= maxLines ? lines : cutOff(lines, maxLines, fits), size: minSize }
}

function cachedWidth(measureLine: (line: string) => number): (line: string) => number {
  const known = new Map<string, number>()
  return (line) => {
    const width = known.get(line) ?? measureLine(line)
    known.set(line, width)
    return width
  }
}

function wrap(text: string, fits: (line: string) => boolean) {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (!fits(word)) return undefined
    lines.push(line)
    line = word
  }
  return [...lines, line]
}

function wrapAnywhere(text: string, fits: (line: string) => boolean) {
  const whole = wrap(text, fits)
  if (whole) return whole
  const pieces = text.split(' ').flatMap((word) => (fits(word) ? [word] : breakWord(word, fits)))
  return wrap(pieces.join(' '), fits) ?? pieces
}

function breakWord(word: string, fits: (line: string) => boolean) {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (piece !== '' && !fits(piece + segment)) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}

function cutOff(lines: readonly string[], maxLines: number, fits: (line: string) => boolean) {
  const kept = lines.slice(0, maxLines)
  const segments = [...new Intl.Segmenter().segment(kept.pop() ?? '')].map(({ segment }) => segment)
  while (segments.length > 0 && !fits(segments.join('') + ellipsis)) segments.pop()
  return [...kept, segments.join('').trimEnd() + ellipsis]
}
