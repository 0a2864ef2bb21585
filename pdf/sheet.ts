import PDFDocument from 'pdfkit'
import { openFont } from './font.ts'
import { type Direction, directionOf, fitText, plainText, runsOf, type TextRun } from './text.ts'

/** A box is in millimetres, from the top left corner of the page. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The fonts are whole TTFs with Arabic and Latin letters together, because web fonts are split by script. */
const fonts = {
  regular: opened('400Regular/Cairo_400Regular.ttf'),
  bold: opened('700Bold/Cairo_700Bold.ttf'),
  black: opened('900Black/Cairo_900Black.ttf'),
} as const

function opened(file: string): () => ReturnType<typeof openFont> {
  let font: ReturnType<typeof openFont> | undefined
  return () => (font ??= openFont(`@expo-google-fonts/cairo/${file}`))
}

export interface TextStyle {
  readonly font?: keyof typeof fonts
  readonly maxSize: number
  readonly minSize?: number
  readonly align?: 'left' | 'centre' | 'right'
  readonly verticalAlign?: 'top'
  readonly color?: string
  readonly direction?: Direction
  /** Extra space between letters in points, only for text of one direction without joined letters. */
  readonly spacing?: number
  /** The text is turned by this many degrees, counterclockwise around the centre of its box. */
  readonly turned?: number
}

/** SVG path data is scaled first, then moved to a point in millimetres from the top left corner of the page. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface PathStyle {
  readonly fill?: string
  readonly stroke?: string
  readonly strokeWidth?: number
  readonly dash?: readonly [length: number, gap: number]
  readonly isRound?: boolean
}

export interface Sheet {
  addPage(size?: PageSize): void
  /** A text that is too long for its box is made smaller, wrapped or cut off. @returns the height of the lines in mm */
  text(text: string, box: Box, style: TextStyle): number
  fill(box: Box, color?: string): void
  path(data: string, placement: Placement, style: PathStyle): void
  turn(degrees: number, centre: { readonly x: number; readonly y: number }, draw: () => void): void
  close(): Promise<Buffer>
}

interface PageSize {
  readonly widthMm: number
  readonly heightMm: number
}

interface SheetOptions extends PageSize {
  readonly title: string
  readonly author: string
  /** The same time gives a PDF with the same bytes. */
  readonly createdAtMs: number
}

const pointsPerMm = 72 / 25.4
/** Cairo's own line height (1.87) leaves space for stacked marks. */
const lineHeight = 1.4
/** Makes capitals and Arabic letters look centred in a line. */
const baseline = 0.98

export function openSheet(options: SheetOptions): Sheet {
  const doc = new PDFDocument({
    size: inPoints(options),
    margin: 0,
    autoFirstPage: false,
    // With an empty font name, pdfkit does not open Helvetica, which has no Arabic letters.
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
  const setFont = createFontChoice(doc)
  const bytes = collect(doc)
  return {
    addPage: (size) => void doc.addPage(size && { size: inPoints(size), margin: 0 }),
    text(text, box, style) {
      setFont(style.font ?? 'regular')
      return drawText(doc, text, box, style)
    },
    fill(box, color = 'black') {
      doc
        .rect(box.x * pointsPerMm, box.y * pointsPerMm, box.width * pointsPerMm, box.height * pointsPerMm)
        .fill(color)
    },
    path: (data, placement, style) => drawPath(doc, data, placement, style),
    turn(degrees, centre, draw) {
      doc.save()
      doc.rotate(-degrees, { origin: [centre.x * pointsPerMm, centre.y * pointsPerMm] })
      draw()
      doc.restore()
    },
    close() {
      doc.end()
      return bytes
    },
  }
}

const inPoints = ({ widthMm, heightMm }: PageSize): [number, number] => [
  widthMm * pointsPerMm,
  heightMm * pointsPerMm,
]

function createFontChoice(doc: PDFKit.PDFDocument): (name: keyof typeof fonts) => void {
  const registered = new Set<string>()
  return (name) => {
    if (!registered.has(name)) {
      const font = fonts[name]()
      font.clearGlyphs()
      doc.registerFont(name, font.source)
      registered.add(name)
    }
    doc.font(name)
  }
}

function drawPath(
  doc: PDFKit.PDFDocument,
  data: string,
  { x, y, scale }: Placement,
  { fill, stroke, strokeWidth = 1, dash, isRound = false }: PathStyle,
) {
  doc.save()
  doc
    .translate(x * pointsPerMm, y * pointsPerMm)
    .scale(scale * pointsPerMm)
    .path(data)
    .lineWidth(strokeWidth)
    .lineJoin('round')
    .lineCap(isRound ? 'round' : 'butt')
  if (dash) doc.dash(dash[0], { space: dash[1] })
  if (fill !== undefined) doc.fill(fill)
  if (stroke !== undefined) doc.stroke(stroke)
  doc.restore()
}

const featuresOf = (run: TextRun) => (run.isRightToLeft ? { features: ['rtla' as const] } : {})

function drawText(doc: PDFKit.PDFDocument, rawText: string, box: Box, style: TextStyle) {
  const text = plainText(rawText)
  const { spacing = 0, direction = directionOf(text) } = style
  const align = style.align ?? (direction === 'rtl' ? 'right' : 'left')
  const [width, height] = [box.width * pointsPerMm, box.height * pointsPerMm]
  const measure = (run: TextRun) => doc.widthOfString(run.text, featuresOf(run))
  doc.fontSize(1)
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
  const before = { left: 0, centre: 0.5, right: 1 }[align]
  for (const [index, line] of lines.entries()) {
    const runs = runsOf(line, direction)
    const slack = width - runs.reduce((sum, run) => sum + measure(run), 0) - spacing * (line.length - 1)
    let x = box.x * pointsPerMm + slack * before
    const y = top + (index * lineHeight + baseline) * size
    for (const run of runs) {
      const extra = spacing > 0 ? { characterSpacing: spacing } : {}
      doc.text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic', ...featuresOf(run), ...extra })
      x += measure(run)
    }
  }
  doc.restore()
  return (lines.length * size * lineHeight) / pointsPerMm
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
