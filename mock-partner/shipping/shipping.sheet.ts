import PDFDocument from 'pdfkit'
import { openFont } from './shipping.font.ts'
import { type Direction, directionOf, fitText, plainText, runsOf, type TextRun } from './shipping.text.ts'

/** In millimetres from the top left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Whole TTFs hold Arabic and Latin together; web fonts come split by script. */
const fonts = {
  regular: openFont('@expo-google-fonts/cairo/400Regular/Cairo_400Regular.ttf'),
  bold: openFont('@expo-google-fonts/cairo/700Bold/Cairo_700Bold.ttf'),
} as const
type FontName = keyof typeof fonts

/** Sizes in points. */
export interface TextStyle {
  readonly font?: FontName
  readonly maxSize: number
  readonly minSize?: number
  /** Default: the side on which the text's direction starts. */
  readonly align?: 'left' | 'centre' | 'right'
  /** Default: vertically centred. */
  readonly verticalAlign?: 'top'
  readonly color?: 'black' | 'white'
  /** Default: the direction of the first letter. */
  readonly direction?: Direction
  /** Extra space between the characters, in points; only for one run without joined letters. */
  readonly spacing?: number
}

/** One page of a PDF that takes text of any direction. */
export interface Sheet {
  /** Draws a text inside the box; where it is too long, smaller, wrapped or cut off with an ellipsis. */
  text(text: string, box: Box, style: TextStyle): void
  fill(box: Box): void
  /** The whole file; ends the sheet. */
  close(): Promise<Buffer>
}

interface SheetOptions {
  readonly widthMm: number
  readonly heightMm: number
  readonly title: string
  readonly author: string
  /** Epoch milliseconds; the file depends on it, so the same time gives the same bytes. */
  readonly createdAtMs: number
}

const pointsPerMm = 72 / 25.4

/** Distance of baselines as a multiple of the size. Cairo's own (1.87) leaves space for stacked marks that labels lack. */
const lineHeight = 1.4
/** Baseline below the top of its line: with it capitals and Arabic letters look centred in the line. */
const baseline = 0.98

export function openSheet(options: SheetOptions): Sheet {
  const doc = new PDFDocument({
    size: [options.widthMm * pointsPerMm, options.heightMm * pointsPerMm],
    margin: 0,
    // An empty name keeps pdfkit from opening Helvetica, which has no Arabic.
    font: '',
    lang: 'ar',
    info: {
      Title: options.title,
      Author: options.author,
      Creator: options.author,
      Producer: options.author,
      CreationDate: new Date(options.createdAtMs),
    },
  })
  for (const [name, font] of Object.entries(fonts)) {
    font.clearGlyphs()
    doc.registerFont(name, font.source)
  }
  const bytes = collect(doc)

  function widthOf(run: TextRun): number {
    return doc.widthOfString(run.text, run.isRightToLeft ? { features: ['rtla'] } : {})
  }

  function drawLine(line: string, direction: Direction, at: { x: number; y: number }, spacing: number): void {
    let x = at.x
    for (const run of runsOf(line, direction)) {
      doc.text(run.text, x, at.y, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...(run.isRightToLeft ? { features: ['rtla'] } : {}),
        ...(spacing > 0 ? { characterSpacing: spacing } : {}),
      })
      x += widthOf(run)
    }
  }

  return {
    text(rawText, box, style) {
      const text = plainText(rawText)
      const direction = style.direction ?? directionOf(text)
      const align = style.align ?? (direction === 'rtl' ? 'right' : 'left')
      const spacing = style.spacing ?? 0
      const width = box.width * pointsPerMm
      const height = box.height * pointsPerMm
      doc.font(style.font ?? 'regular').fontSize(1)
      const { lines, size } = fitText({
        text,
        direction,
        width: width - spacing * text.length,
        height,
        lineHeight,
        maxSize: style.maxSize,
        minSize: style.minSize ?? style.maxSize,
        measure: widthOf,
      })
      doc.fontSize(size).fillColor(style.color ?? 'black')
      const slackBelow = height - lines.length * size * lineHeight
      const top = box.y * pointsPerMm + (style.verticalAlign === 'top' ? 0 : slackBelow / 2)
      for (const [index, line] of lines.entries()) {
        const lineWidth =
          runsOf(line, direction).reduce((sum, run) => sum + widthOf(run), 0) + spacing * (line.length - 1)
        const slack = width - lineWidth
        const offset = align === 'left' ? 0 : align === 'right' ? slack : slack / 2
        const y = top + (index * lineHeight + baseline) * size
        drawLine(line, direction, { x: box.x * pointsPerMm + offset, y }, spacing)
      }
    },
    fill(box) {
      doc
        .rect(box.x * pointsPerMm, box.y * pointsPerMm, box.width * pointsPerMm, box.height * pointsPerMm)
        .fill('black')
    },
    close() {
      doc.end()
      return bytes
    },
  }
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
