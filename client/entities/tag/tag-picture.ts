import { modulesOf } from '#client/entities/airway-bill/barcode.tsx'
import { cityToken } from '#client/entities/location/city-block.tsx'
import type { BackTexts } from './tag-back.tsx'
import { drawLoop, drawTag, type Shape } from './tag-drawing.tsx'

/** What the picture of a tag shows, in the language on screen. */
interface TagTexts {
  readonly awb: string
  readonly orderNumber: string
  readonly weight: string | undefined
  readonly to: string
  readonly city: string
  /** The three letters; undefined for a city without them. */
  readonly code: string | undefined
  readonly branch: string
  readonly receiver: { readonly name: string; readonly value: string } | undefined
}

interface Line {
  readonly text: string | undefined
  /** Baseline of the first line. */
  readonly y: number
  readonly size: number
  readonly weight: number
  readonly colour: string
  /** Along the reading direction; letters and digits that are read from the left keep to that side, too. */
  readonly at: 'start' | 'end' | 'centre'
  /** Distance from the edge of the picture. */
  readonly inset?: number
  readonly isLtr?: boolean
  /** How many lines a text that is too wide may take; without it, it is squeezed into one. */
  readonly lines?: number
}

type Direction = 'ltr' | 'rtl'

const width = 1080
const height = 1320
const margin = 64
const lineHeight = 1.35

/** A tag with its barcode as a PNG file, white around the barcode in both schemes; undefined without a canvas. */
export function makeTagPicture(texts: TagTexts, direction: Direction): Promise<File | undefined> {
  const { awb, orderNumber, weight, to, city, code, branch, receiver } = texts
  const onEar = { y: 150, size: 48, weight: 700, colour: '--on-saffron', inset: 90 } as const
  const onBand = { weight: 500, colour: '--on-city', at: 'start' } as const
  const onStub = { colour: '--paper-ink', at: 'start', lines: 2 } as const
  const lines: readonly Line[] = [
    { ...onEar, text: orderNumber, at: 'start', isLtr: true },
    { ...onEar, text: weight, at: 'end' },
    { ...onBand, text: to, y: 268, size: 42 },
    { ...onBand, text: city, y: 394, size: 104, weight: 900 },
    { ...onBand, text: code, y: 388, size: 72, weight: 900, at: 'end', isLtr: true },
    { ...onBand, text: branch, y: 480, size: 38, lines: 3 },
    { ...onStub, text: receiver?.name, y: 680, size: 36, weight: 500 },
    { ...onStub, text: receiver?.value, y: 736, size: 44, weight: 700 },
    { ...onStub, text: awb, y: 1250, size: 104, weight: 900, at: 'centre', isLtr: true },
  ]
  return makePicture(`AWB-${awb}.png`, lines, direction, (paint) => {
    paint([
      { d: 'M0 0H1080V1320H0Z', fill: '--paper' },
      ...drawTag(cityToken(code), '--paper', modulesOf(awb)),
    ])
  })
}

/** The back of a collected tag as a PNG file: no name, number or address. Undefined without a canvas. */
export function makeBackPicture(texts: BackTexts, direction: Direction): Promise<File | undefined> {
  const { code, year, say, fromTo, span } = texts
  const onEar = { y: 592, size: 46, weight: 800, colour: '--on-saffron', inset: 250 } as const
  const large = { size: 78, weight: 800, colour: '--on-night', at: 'centre', inset: 256 } as const
  const small = { size: 44, weight: 500, colour: '--on-night-muted', at: 'centre', inset: 220 } as const
  const lines: readonly Line[] = [
    { ...onEar, text: code, at: 'start', isLtr: true },
    { ...onEar, text: year, at: 'end' },
    ...say.split('\n').map((text, index) => ({ ...large, text, y: 780 + index * 110 })),
    { ...small, text: fromTo, y: 1030 },
    { ...small, text: span, y: 1100 },
  ]
  return makePicture('amtiati.png', lines, direction, (paint) => {
    paint([{ d: 'M0 0H1080V1320H0Z', fill: '--dune' }])
    paint(drawTag('--night', '--dune'), 216, 490, 0.6)
    paint(drawLoop('--dune'), 177, 42, 3.3)
  })
}

type Paint = (shapes: readonly Shape[], x?: number, y?: number, scale?: number) => void

async function makePicture(
  name: string,
  lines: readonly Line[],
  direction: Direction,
  draw: (paint: Paint) => void,
): Promise<File | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  const style = getComputedStyle(document.documentElement)
  const token = (each: string) => style.getPropertyValue(each).trim()
  const family = token('--font')
  await loadFonts(lines, family)
  context.lineCap = 'round'
  draw((shapes, x = 0, y = 0, scale = 1) => {
    context.setTransform(scale, 0, 0, scale, x, y)
    for (const { d, fill = '', stroke, strokeWidth = 0 } of shapes) {
      const path = new Path2D(d)
      context.fillStyle = token(fill)
      if (fill !== '') context.fill(path)
      if (stroke === undefined) continue
      context.strokeStyle = token(stroke)
      context.lineWidth = strokeWidth
      context.stroke(path)
    }
  })
  context.resetTransform()
  for (const { text, y, size, weight, colour, at, inset = margin, isLtr = false, lines: most = 1 } of lines) {
    const isLeft = (at === 'start') === (direction === 'ltr')
    context.direction = isLtr ? 'ltr' : direction
    context.textAlign = at === 'centre' ? 'center' : isLeft ? 'left' : 'right'
    context.font = `${weight} ${size}px ${family}`
    context.fillStyle = token(colour)
    const x = at === 'centre' ? width / 2 : isLeft ? inset : width - inset
    const widest = width - 2 * inset
    const fits = (part: string) => context.measureText(part).width <= widest
    for (const [index, part] of linesOf(text ?? '', most, fits).entries())
      context.fillText(part, x, y + index * size * lineHeight, widest)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return blob === null ? undefined : new File([blob], name, { type: 'image/png' })
}

/**
 * A canvas waits for no font, and loads none: its parts are loaded by the letters that a page shows, and a name or an
 * address may be the first to need one. A font that does not come is replaced by the device's.
 */
async function loadFonts(lines: readonly Line[], family: string): Promise<void> {
  const text = lines.map((line) => line.text).join(' ')
  const weights = new Set(lines.map(({ weight }) => weight))
  await Promise.allSettled([...weights].map((each) => document.fonts?.load(`${each} 1em ${family}`, text)))
}

/** `text` in at most `most` lines, broken between words; the last line takes the rest. */
function linesOf(text: string, most: number, fits: (line: string) => boolean): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if (last === '' || fits(longer) || lines.length === most) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
