import { colours } from '#server/features/receipts/receipts.colours.ts'
import { brand } from '#shared/platform/brand.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { wordmarks } from '#shared/platform/wordmark.ts'
import { loadResvg } from './icons.mjs'

/** The size in CSS pixels, and an SVG in the same units. */
interface Drawing {
  readonly width: number
  readonly height: number
  readonly svg: string
}

/** Phones show two or three pixels for one of CSS. */
const scale = 2
const Resvg = await loadResvg()

const wordmarkHeights: Readonly<Record<LanguageCode, number>> = { ar: 48, en: 30 }
const ear = { width: 28, height: 44 }
const eyelet = { width: 30, height: 30 }
const thread = { width: 536, height: 34 }
const { saffron, 'saffron-edge': edge } = colours
const ground = '#efe6d2'

/** From the line's start above to the eyelet in the middle. */
const strands = `<g fill="none" stroke="#b87d0b" stroke-width="2.5" stroke-linecap="round">
<path d="M36 0C36 15 60 15.5 100 15.5C140 15 165 15 196 16C235 18 265 20 268 34"/>
<path d="M196 16C220 24 250 26 262 34"/>
<path d="M196 9.5L202.5 16L196 22.5L189.5 16Z" fill="${saffron}" stroke-linejoin="round"/></g>`

const drawings: Readonly<Record<string, Drawing>> = {
  ...Object.fromEntries(Object.values(languages).flatMap(({ code }) => wordmark(code))),
  'ear-left': { ...ear, svg: `<path d="M28 0V44H0V28Z" fill="${saffron}"/>` },
  'ear-right': { ...ear, svg: `<path d="M0 0V44H28V28Z" fill="${saffron}"/>` },
  eyelet: {
    ...eyelet,
    svg: `<circle cx="15" cy="15" r="12.5" fill="${ground}" stroke="${edge}" stroke-width="3"/>`,
  },
  'thread-ltr': { ...thread, svg: strands },
  'thread-rtl': { ...thread, svg: `<g transform="translate(${thread.width} 0) scale(-1 1)">${strands}</g>` },
}

/** A renamed product has no drawing of its name. */
function wordmark(code: LanguageCode): [string, Drawing][] {
  const drawing = wordmarks[brand.name[code]]
  if (drawing === undefined) return []
  const height = wordmarkHeights[code]
  const zoom = height / drawing.height
  const strokes = drawing.strokes.map(([path, width]) => `<path d="${path}" stroke-width="${width}"/>`)
  const svg = `<g fill="none" stroke="#fff" transform="scale(${zoom})">${strokes.join('')}</g>`
  return [[`wordmark-${code}`, { width: Math.ceil(drawing.width * zoom), height, svg }]]
}

function drawn({ width, height, svg }: Drawing) {
  const size = `width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"`
  const bitmap = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${svg}</svg>`).render()
  const png = Buffer.from(bitmap.asPng()).toString('base64')
  bitmap.free()
  return { width, height, png }
}

/** `server/features/messages/letter-pictures.json`: the ornaments of letters, because mailboxes show no SVG. */
export const letterPictures = (): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(drawings).map(([name, drawing]) => [name, drawn(drawing)])), null, 2)}\n`
