import { drawPicture, type Pen } from '#client/entities/airway-bill/pass-picture.ts'
import type { BackTexts } from './tag-back.tsx'

const middle = 540

/** The back of a collected tag as a picture: no name, number or address. Undefined without a canvas. */
export function drawBack(texts: BackTexts, direction: 'ltr' | 'rtl'): Promise<File | undefined> {
  const { code, year, say, fromTo, span } = texts
  return drawPicture('amtiati.png', [code, year, say, fromTo, span], direction, (context, pen) => {
    pen.fill('--dune', 0, 1320)
    drawLoop(context, pen)
    context.save()
    context.translate(middle, 840)
    context.rotate(-Math.PI / 90)
    context.translate(-middle, -840)
    drawCard(context, pen)
    writeCard(pen, texts)
    context.restore()
  })
}

/** Closed in the hole, with a knot for each stage of the way. */
function drawLoop(context: CanvasRenderingContext2D, pen: Pen): void {
  context.strokeStyle = pen.token('--thread')
  context.lineWidth = 8
  context.stroke(
    new Path2D(
      'M540 500C540 380 290 370 290 220C290 100 410 60 540 60S790 100 790 220C790 370 540 380 540 500',
    ),
  )
  context.fillStyle = pen.token('--thread')
  for (const [x, y] of [
    [292, 240],
    [400, 84],
    [680, 84],
    [788, 240],
  ] as const)
    context.fill(new Path2D(`M${x} ${y - 30}l30 30l-30 30l-30-30Z`))
}

function drawCard(context: CanvasRenderingContext2D, pen: Pen): void {
  context.fillStyle = pen.token('--saffron')
  context.fill(new Path2D('M310 440H770L890 560V640H190V560Z'))
  context.fillStyle = pen.token('--night')
  context.fill(new Path2D('M190 640H890V1200a50 50 0 0 1-50 50H240a50 50 0 0 1-50-50Z'))
  context.fillStyle = pen.token('--dune')
  context.beginPath()
  context.arc(middle, 505, 40, 0, 2 * Math.PI)
  context.fill()
}

function writeCard(pen: Pen, { code, year, say, fromTo, span }: BackTexts): void {
  const onEar = { y: 610, size: 48, weight: 800, colour: '--on-saffron', inset: 240 } as const
  if (code !== undefined) pen.write(code, { ...onEar, at: 'start', isLtr: true })
  if (year !== undefined) pen.write(year, { ...onEar, at: 'end' })
  const centred = { at: 'centre', inset: 220 } as const
  for (const [index, line] of say.split('\n').entries())
    pen.write(line, { ...centred, y: 800 + index * 110, size: 78, weight: 800, colour: '--on-night' })
  const small = { ...centred, size: 44, weight: 500, colour: '--on-night-muted' }
  if (fromTo !== undefined) pen.write(fromTo, { ...small, y: 1040 })
  if (span !== undefined) pen.write(span, { ...small, y: 1110 })
}
