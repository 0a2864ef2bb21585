/*
 * The tag as a drawing, for pictures: on a canvas (tag-picture.ts), and as SVG at build (link-preview.tsx). Both take the
 * same shapes. The canvas takes no SVG as an image: that would have no font of the page.
 */

/** Colours are tokens of ui/tokens.css. */
export interface Shape {
  readonly d: string
  readonly fill?: string
  readonly stroke?: string
  readonly strokeWidth?: number
}

/** Whole pixels in a picture that is not scaled, so that bars of equal modules are equally wide. */
const modulePx = 8
/** A canvas draws no line without a length. */
const perforation = Array.from({ length: 26 }, (_, index) => `M${40 + 40 * index} 622h.1`).join('')

/** Outline of a tag, 1080 wide and 1320 high: ear to 200, band to 600, stub. */
export const tagOutline = 'M120 0H960L1080 120V1240a80 80 0 0 1-80 80H80a80 80 0 0 1-80-80V120Z'

/**
 * @param colour of the band
 * @param ground seen through the eyelet
 * @param modules of the barcode, one character each: 1 is a bar, 0 a space. Without them, a tag turned over
 */
export function drawTag(colour: string, ground: string, modules?: string): readonly Shape[] {
  const ear = [
    { d: 'M120 0H960L1080 120V200H0V120Z', fill: '--saffron' },
    {
      d: 'M484 100a56 56 0 0 0 112 0a56 56 0 0 0-112 0Z',
      fill: ground,
      stroke: '--saffron-edge',
      strokeWidth: 18,
    },
  ]
  const foot = 'V1240a80 80 0 0 1-80 80H80a80 80 0 0 1-80-80Z'
  if (modules === undefined) return [...ear, { d: `M0 200H1080${foot}`, fill: colour }]
  const left = Math.round((1080 - modules.length * modulePx) / 2)
  const bars = [...modules.matchAll(/1+/g)].map(
    ({ 0: run, index }) =>
      `M${left + index * modulePx} 800h${run.length * modulePx}v340h-${run.length * modulePx}z`,
  )
  return [
    ...ear,
    { d: 'M0 200H1080V600H0Z', fill: colour },
    { d: `M0 600H1080${foot}`, fill: '--paper' },
    { d: perforation, stroke: '--paper-rule', strokeWidth: 10 },
    { d: bars.join(''), fill: '--paper-ink' },
  ]
}

const knots = [
  [35, 62],
  [66, 12],
  [154, 12],
  [185, 62],
] as const

/** The closed thread of a collected bag, 220 wide, with a knot for each stage. It ends in the eyelet below, at 110, 136. */
export const drawLoop = (ground: string): readonly Shape[] => [
  {
    d: 'M110 136C110 100 34 96 34 54C34 20 70 4 110 4S186 20 186 54C186 96 110 100 110 136',
    stroke: '--thread',
    strokeWidth: 2.5,
  },
  {
    d: knots.map(([x, y]) => `M${x} ${y - 9}l9 9l-9 9l-9-9Z`).join(''),
    fill: '--thread',
    stroke: '--thread',
    strokeWidth: 2,
  },
  { d: knots.map(([x, y]) => `M${x - 8} ${y}h16`).join(''), stroke: ground, strokeWidth: 2.5 },
]

/** Shapes as SVG. */
export function Shapes({ of }: { readonly of: readonly Shape[] }) {
  return of.map(({ d, fill, stroke, strokeWidth }) => (
    <path
      key={d}
      d={d}
      pathLength={1}
      fill={fill === undefined ? 'none' : `var(${fill})`}
      stroke={stroke && `var(${stroke})`}
      strokeWidth={strokeWidth}
      strokeLinecap="round"
    />
  ))
}
