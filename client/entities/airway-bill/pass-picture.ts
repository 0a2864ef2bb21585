import { barsOf, quietZone } from './barcode.rules.ts'
import { modulesOf } from './barcode.tsx'

/** What the picture of a pass shows, in the language on screen. */
interface PassPicture {
  readonly awb: string
  readonly orderNumber: string
  readonly weight: string | undefined
  readonly to: string
  readonly city: string
  /** The three letters; undefined for a city without them. */
  readonly code: string | undefined
  readonly branch: string
  readonly receiver: { readonly name: string; readonly value: string } | undefined
  readonly direction: 'ltr' | 'rtl'
}

const width = 1080
const height = 1320
const margin = 64
/** Whole pixels per module, so that bars of equal modules are equally wide. */
const modulePx = 8
const barHeight = 340

/** A pass as a PNG file, white around the barcode in both schemes; undefined without a canvas. */
export async function drawPass(pass: PassPicture): Promise<File | undefined> {
  const { orderNumber, weight, to, city, code, branch, receiver, awb, direction } = pass
  const texts = [orderNumber, weight, to, city, code, branch, receiver?.name, receiver?.value, awb]
  return drawPicture(`AWB-${awb}.png`, texts, direction, (context, pen) => {
    pen.fill('--paper', 0, height)
    drawEar(context, pen, pass)
    drawDestination(pen, pass)
    drawReceiver(pen, pass)
    drawCode(context, pen, awb)
  })
}

/** A picture of 1080 × 1320 px, with the fonts of `texts`; undefined without a canvas. */
export async function drawPicture(
  name: string,
  texts: readonly (string | undefined)[],
  direction: 'ltr' | 'rtl',
  draw: (context: CanvasRenderingContext2D, pen: Pen) => void,
): Promise<File | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  const pen = penOf(context, direction)
  await loadFonts(texts.join(' '), pen.token('--font'))
  draw(context, pen)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return blob === null ? undefined : new File([blob], name, { type: 'image/png' })
}

/** The weights of what is written below. */
const weights = [500, 700, 800, 900] as const

/**
 * A canvas waits for no font, and loads none: its parts are loaded by the letters that a page shows, and a name or an
 * address may be the first to need one. A font that does not come is replaced by the device's.
 */
async function loadFonts(text: string, family: string) {
  await Promise.allSettled(weights.map((each) => document.fonts?.load(`${each} 1em ${family}`, text)))
}

interface Line {
  /** Of the first line. */
  readonly y: number
  readonly size: number
  readonly weight: number
  readonly colour: string
  /** Along the reading direction; letters and digits that are read from the left keep to that side, too. */
  readonly at: 'start' | 'end' | 'centre'
  /** From the edge of the picture. */
  readonly inset?: number
  readonly isLtr?: boolean
  /** How many lines a text that is too wide may take; without it, it is squeezed into one. */
  readonly lines?: number
}

export interface Pen {
  /** The value of a token of ui/tokens.css; empty for one that does not exist. */
  readonly token: (name: string) => string
  readonly fill: (colour: string, from: number, to: number) => void
  readonly write: (text: string, line: Line) => void
}

function penOf(context: CanvasRenderingContext2D, direction: 'ltr' | 'rtl'): Pen {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    token,
    fill(colour, from, to) {
      context.fillStyle = token(colour)
      context.fillRect(0, from, width, to - from)
    },
    write(text, { y, size, weight, colour, at, inset = margin, isLtr = false, lines = 1 }) {
      const isLeft = (at === 'start') === (direction === 'ltr')
      context.direction = isLtr ? 'ltr' : direction
      context.textAlign = at === 'centre' ? 'center' : isLeft ? 'left' : 'right'
      context.font = `${weight} ${size}px ${token('--font')}`
      context.fillStyle = token(colour)
      const x = at === 'centre' ? width / 2 : isLeft ? inset : width - inset
      const widest = width - 2 * inset
      for (const [index, line] of linesOf(
        text,
        lines,
        (part) => context.measureText(part).width <= widest,
      ).entries())
        context.fillText(line, x, y + index * size * lineHeight, widest)
    },
  }
}

const lineHeight = 1.35

/** `text` in at most `most` lines, broken between words; the last takes what is left. */
export function linesOf(text: string, most: number, fits: (line: string) => boolean): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if (last === '' || fits(longer) || lines.length === most) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function drawEar(context: CanvasRenderingContext2D, pen: Pen, { orderNumber, weight }: PassPicture): void {
  context.fillStyle = pen.token('--saffron')
  context.fill(new Path2D(`M84 0H${width - 84}L${width} 84V132H0V84Z`))
  context.fillStyle = pen.token('--paper')
  context.beginPath()
  context.arc(width / 2, 66, 34, 0, 2 * Math.PI)
  context.fill()
  const line = { y: 84, size: 48, weight: 700, colour: '--on-saffron', inset: 120 } as const
  pen.write(orderNumber, { ...line, at: 'start', isLtr: true })
  if (weight !== undefined) pen.write(weight, { ...line, at: 'end' })
}

function drawDestination(pen: Pen, { to, city, code, branch }: PassPicture): void {
  const ownColour = `--city-${code?.toLowerCase()}`
  pen.fill(pen.token(ownColour) === '' ? '--city-other' : ownColour, 132, 532)
  const line = { colour: '--on-city', at: 'start' } as const
  pen.write(to, { ...line, y: 200, size: 42, weight: 500 })
  pen.write(city, { ...line, y: 320, size: 92, weight: 800 })
  if (code !== undefined) pen.write(code, { ...line, y: 330, size: 180, weight: 900, at: 'end', isLtr: true })
  pen.write(branch, { ...line, y: 412, size: 38, weight: 500, lines: 3 })
}

function drawReceiver(pen: Pen, { receiver }: PassPicture): void {
  if (receiver === undefined) return
  const line = { at: 'start' } as const
  pen.write(receiver.name, { ...line, y: 592, size: 38, weight: 500, colour: '--paper-muted' })
  pen.write(receiver.value, { ...line, y: 652, size: 48, weight: 700, colour: '--paper-ink', lines: 2 })
}

/** Black on white, for scanners. */
function drawCode(context: CanvasRenderingContext2D, pen: Pen, awb: string): void {
  const modules = modulesOf(awb)
  context.save()
  context.fillStyle = 'black'
  context.translate(Math.round((width - (modules.length + 2 * quietZone) * modulePx) / 2), 740)
  context.scale(modulePx, barHeight)
  context.fill(new Path2D(barsOf(modules)))
  context.restore()
  pen.write(awb, { y: 1200, size: 104, weight: 900, colour: '--paper-ink', at: 'centre', isLtr: true })
}
