import PDFDocument from 'pdfkit'
import { openFont } from './font.ts'
import { type Direction, directionOf, fitText, plainText, runsOf, type TextRun } from './text.ts'

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

/** Sizes in points. */
export interface TextStyle {
  readonly font?: keyof typeof fonts
  readonly maxSize: number
  readonly minSize?: number
  /** Default: the side on which the text's direction starts. */
  readonly align?: 'left' | 'centre' | 'right'
  /** Default: vertically centred. */
  readonly verticalAlign?: 'top'
  /** Default: black. */
  readonly color?: string
  /** Default: the direction of the first letter. */
  readonly direction?: Direction
  /** Extra space between the characters, in points; only for one run without joined letters. */
  readonly spacing?: number
  /** Degrees, around the centre of the box, against the clock. */
  readonly turned?: number
}

/** A PDF of pages of one size that takes text of any direction. */
export interface Sheet {
  addPage(): void
  /** Draws a text inside the box; where it is too long, smaller, wrapped or cut off. */
  text(text: string, box: Box, style: TextStyle): void
  /** @param color default: black */
  fill(box: Box, color?: string): void
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
/** Distance of baselines as a multiple of the size. Cairo's own (1.87) leaves space for stacked marks. */
const lineHeight = 1.4
/** Baseline below the top of its line: with it capitals and Arabic letters look centred in the line. */
const baseline = 0.98

/** Opens a sheet without pages. */
export function openSheet(options: SheetOptions): Sheet {
  const doc = new PDFDocument({
    size: [options.widthMm * pointsPerMm, options.heightMm * pointsPerMm],
    margin: 0,
    autoFirstPage: false,
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
  return {
    addPage: () => void doc.addPage(),
    text: (text, box, style) => drawText(doc, text, box, style),
    fill(box, color = 'black') {
      doc
        .rect(box.x * pointsPerMm, box.y * pointsPerMm, box.width * pointsPerMm, box.height * pointsPerMm)
        .fill(color)
    },
    close() {
      doc.end()
      return bytes
    },
  }
}

const featuresOf = (run: TextRun) => (run.isRightToLeft ? { features: ['rtla' as const] } : {})

function drawText(doc: PDFKit.PDFDocument, rawText: string, box: Box, style: TextStyle): void {
  const text = plainText(rawText)
  const { spacing = 0, direction = directionOf(text) } = style
  const align = style.align ?? (direction === 'rtl' ? 'right' : 'left')
  const [width, height] = [box.width * pointsPerMm, box.height * pointsPerMm]
  const measure = (run: TextRun) => doc.widthOfString(run.text, featuresOf(run))
  doc.font(style.font ?? 'regular').fontSize(1)
  const { lines, size } = fitText({
    text,
    direction,
    width: width - spacing * text.length,
    height,
    lineHeight,
    maxSize: style.maxSize,
    minSize: style.minSize ?? style.maxSize,
    measure,
  })
  doc.save()
  if (style.turned !== undefined)
    doc.rotate(-style.turned, {
      origin: [(box.x + box.width / 2) * pointsPerMm, (box.y + box.height / 2) * pointsPerMm],
    })
  doc.fontSize(size).fillColor(style.color ?? 'black')
  const slackBelow = height - lines.length * size * lineHeight
  const top = box.y * pointsPerMm + (style.verticalAlign === 'top' ? 0 : slackBelow / 2)
  for (const [index, line] of lines.entries()) {
    const runs = runsOf(line, direction)
    const slack = width - runs.reduce((sum, run) => sum + measure(run), 0) - spacing * (line.length - 1)
    let x = box.x * pointsPerMm + (align === 'left' ? 0 : align === 'right' ? slack : slack / 2)
    const y = top + (index * lineHeight + baseline) * size
    for (const run of runs) {
      const extra = spacing > 0 ? { characterSpacing: spacing } : {}
      doc.text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic', ...featuresOf(run), ...extra })
      x += measure(run)
    }
  }
  doc.restore()
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
