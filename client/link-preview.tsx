import { brand } from '#shared/platform/brand.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import type { previewOf } from '#shared/platform/link-preview.ts'
import { wordmarks } from '#shared/platform/wordmark.ts'
import { cityToken } from './entities/location/city-block.tsx'
import { drawTag, Shapes, tagOutline } from './entities/tag/tag-drawing.tsx'
import { TentPattern, tentRow } from './ui/tents.tsx'

/*
 * The picture that messengers show of a link: a tag over Mina, tied to the name of the product. Drawn at build by a program
 * that knows SVG and no styles, so that each token of ui/tokens.css stands in an attribute.
 */

/** Across, down and size of each row of tents, from the horizon to the front. */
const rows = [
  [0, 449, 0.22],
  [7, 455, 0.28],
  [0, 462.5, 0.36],
  [14, 472, 0.46],
  [0, 485, 0.6],
  [30, 502, 0.78],
  [0, 526, 1.02],
  [52, 557, 1.32],
  [0, 600, 1.72],
  [80, 660, 2.2],
] as const

const previewSize = { width: 1200, height: 630 } as const
/** From the edge of the picture to the texts. */
const inset = 72

interface LinkPictureProps {
  readonly preview: ReturnType<typeof previewOf>
  readonly language: LanguageCode
}

/** What is on the side where one begins to read is drawn for Arabic, and turned for English; letters and light are not. */
export function LinkPicture({ preview, language }: LinkPictureProps) {
  const isRtl = languages[language].direction === 'rtl'
  const { width, height } = previewSize
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} fontFamily="Cairo">
      <title>{preview.title}</title>
      <Mina />
      <g transform={isRtl ? 'rotate(-4 292 330)' : 'translate(616) rotate(4 292 330)'}>
        <BagTag {...preview} />
      </g>
      <g fill="none" strokeWidth="6" transform={isRtl ? undefined : `translate(${width}) scale(-1 1)`}>
        <path
          stroke="var(--night)"
          strokeOpacity=".35"
          transform="translate(0 4)"
          d="M508 214C486 130 420 66 344 78C312 83 288 104 280 136"
        />
        <path
          stroke="var(--saffron)"
          d="M1120 132.5H1148C1174 132.5 1180 148 1180 174V300C1180 400 1050 392 860 388C640 383 540 330 508 214C486 130 420 66 344 78C312 83 288 104 280 138"
        />
      </g>
      <Name language={language} />
      <Words {...{ preview, language, isRtl }} />
    </svg>
  )
}

function Mina() {
  return (
    <>
      <defs>
        <TentPattern id="tents" />
        <linearGradient id="sky" x2="0" y2="1">
          <stop stopColor="var(--night)" />
          <stop offset=".45" stopColor="var(--sky-2)" />
          <stop offset=".74" stopColor="var(--ridge-far)" />
          <stop offset="1" stopColor="var(--haze)" />
        </linearGradient>
        <linearGradient id="ridge" x2="0" y2="1">
          <stop stopColor="var(--ridge-near)" />
          <stop offset="1" stopColor="var(--ridge-foot)" />
        </linearGradient>
        <linearGradient id="haze" x2="0" y2="1">
          <stop stopColor="var(--haze)" stopOpacity="0" />
          <stop offset=".35" stopColor="var(--haze)" stopOpacity=".8" />
          <stop offset="1" stopColor="var(--haze)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path fill="url(#sky)" d="M0 0h1200v452H0z" />
      <path
        fill="url(#ridge)"
        d="M0 452V432L70 428 150 414 240 420 330 408 420 424 520 416 610 426 700 410 800 422 890 414 980 426 1080 412 1200 424V452Z"
      />
      <path fill="var(--camp)" d="M0 446h1200v184H0z" />
      <g fill="url(#tents)">
        {rows.map(([x, y, scale]) => (
          <path key={y} transform={`translate(${x} ${y}) scale(${scale})`} d={tentRow} />
        ))}
      </g>
      <path fill="url(#haze)" d="M0 428h1200v60H0z" />
    </>
  )
}

/** With the letters of a city, or tents where no city is named, and bars that are no code. */
function BagTag({ letters }: LinkPictureProps['preview']) {
  return (
    <g transform="translate(112 104) scale(.3333)">
      <path fill="var(--pending)" opacity=".3" transform="translate(30 36)" d={tagOutline} />
      <Shapes
        of={drawTag(
          letters === undefined ? '--primary' : cityToken(letters),
          '--sky-2',
          '11010111001100'.repeat(8),
        )}
      />
      {letters === undefined ? (
        <path fill="url(#tents)" transform="translate(540 478) scale(5)" d="M-72-36H72V13H-72Z" />
      ) : (
        <text x="540" y="532" textAnchor="middle" fontWeight="900" fontSize="380" fill="var(--on-city)">
          {letters}
        </text>
      )}
    </g>
  )
}

/** In which the thread begins: the strap of the Arabic name, the bar of the Latin one. */
const threadY = 132.5
const nameSizes: Readonly<Record<string, { readonly scale: number; readonly strapY: number }>> = {
  أمتعتي: { scale: 96 / 118, strapY: 94 },
  Amtiati: { scale: 60 / 78, strapY: 52 },
}

/** At the edge where one begins to read. */
function Name({ language }: Pick<LinkPictureProps, 'language'>) {
  const name = brand.name[language]
  const isRtl = languages[language].direction === 'rtl'
  const drawing = wordmarks[name]
  const { scale, strapY } = nameSizes[name] ?? { scale: 1, strapY: 0 }
  if (drawing === undefined)
    return (
      <Line y={threadY} size={56} isRtl={isRtl}>
        {name}
      </Line>
    )
  const x = isRtl ? previewSize.width - inset - drawing.width * scale : inset
  return (
    <g
      fill="none"
      stroke="var(--on-night)"
      strokeLinejoin="round"
      transform={`translate(${x} ${threadY - strapY * scale}) scale(${scale})`}
    >
      {drawing.strokes.map(([path, width]) => (
        <path key={path} d={path} strokeWidth={width} />
      ))}
    </g>
  )
}

interface LineProps {
  /** Of its baseline. */
  readonly y: number
  readonly size: number
  readonly isRtl: boolean
  readonly children: string
}

/** `textAnchor` without a direction is a side: its end is the right one. */
function Line({ y, size, isRtl, children }: LineProps) {
  const x = isRtl ? previewSize.width - inset : inset
  return (
    <text
      x={x}
      y={y}
      textAnchor={isRtl ? 'end' : 'start'}
      fontSize={size}
      fontWeight="800"
      fill="var(--on-night)"
    >
      {isRtl ? children + rightToLeftMark : children}
    </text>
  )
}

/** Keeps a comma at the end of a line on its left. */
const rightToLeftMark = '\u200F'

const titleSize = 68
/** Between the edge and the thread; a letter is about half as wide as it is high. */
const mostWidth = 580
const titleFits = (title: string) => Math.min(titleSize, Math.floor(mostWidth / (0.53 * title.length)))

/** The title, and below it the tagline; where that is the title, its two parts in two lines. */
function Words({
  preview: { title, letters },
  language,
  isRtl,
}: LinkPictureProps & { readonly isRtl: boolean }) {
  const [first = '', ...rest] = letters === undefined ? title.split(/(?<=[،,.]) /) : [title]
  const second = letters === undefined ? rest.join(' ') : brand.tagline[language]
  const size = titleFits(letters === undefined ? second : first)
  return (
    <>
      <Line y={235} size={size} isRtl={isRtl}>
        {first}
      </Line>
      <Line
        y={letters === undefined ? 235 + 1.25 * size : 298}
        size={letters === undefined ? size : 33}
        isRtl={isRtl}
      >
        {second}
      </Line>
    </>
  )
}
