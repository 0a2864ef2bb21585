import { colours } from '#server/features/receipts/receipts.colours.ts'
import { brand } from '#shared/platform/brand.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { type BarcodePicture, drawBarcode } from './barcode-picture.ts'
import {
  type Letter,
  type LetterBars,
  type LetterContact,
  type LetterFiles,
  type LetterPart,
  type LetterPlace,
  type LetterTag,
  type LetterText,
  plainLetter,
  withoutMarks,
} from './letter.ts'
import stored from './letter-pictures.json' with { type: 'json' }
import type { MailPicture, OutgoingMail } from './mail.provider.ts'

/*
 * Few mail programs read a style sheet, so this file uses tables, `bgcolor` and inline styles. Pictures are attached,
 * because an address would disclose when a letter is read.
 */

export type RenderedLetter = Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'pictures'>

interface Ornament {
  readonly width: number
  readonly height: number
  readonly png: string
}
const ornaments: Readonly<Record<string, Ornament>> = stored

const { ink, muted, primary, paid, saffron } = colours
const night = '#06302b'
const ground = '#efe6d2'
const paper = '#fffdf7'
const rule = '#d5c8aa'
const fonts = "Cairo,'Segoe UI',Tahoma,Arial,sans-serif"

const font = (weight: number, size: number, line: number) => `font:${weight} ${size}px/${line} ${fonts}`

const moduleWidth = { wide: 3, narrow: 2.5 } as const
const barsHeight = 112

interface Page {
  readonly isRightToLeft: boolean
  readonly start: 'left' | 'right'
  readonly end: 'left' | 'right'
  readonly language: LanguageCode
  /** @returns the attributes of the `img`; undefined when the letter cannot have the drawing */
  ornament(name: string): string | undefined
  bars(picture: BarcodePicture, awb: string): string
}

/** @param isTemplate true when another service sends the letter, which cannot attach pictures */
export function renderLetter(letter: Letter, { isTemplate = false } = {}): RenderedLetter {
  const { language, subject } = letter
  const pictures = new Map<string, MailPicture>()
  const widths = new Set<number>()
  const isRightToLeft = languages[language].direction === 'rtl'
  const add = (name: string, png: Uint8Array) => {
    const cid = `${name}@letter`
    pictures.set(cid, { cid, name: `${name}.png`, png })
    return `src="cid:${cid}"`
  }
  const page: Page = {
    language,
    isRightToLeft,
    start: isRightToLeft ? 'right' : 'left',
    end: isRightToLeft ? 'left' : 'right',
    ornament(name) {
      const found = isTemplate ? undefined : ornaments[name]
      if (!found) return undefined
      return `${add(name, Buffer.from(found.png, 'base64'))} width="${found.width}" height="${found.height}"`
    },
    bars({ png, modules }, awb) {
      widths.add(modules)
      return `${add(`barcode-${awb}`, png)} class="bars${modules}" width="${modules * moduleWidth.wide}" height="${barsHeight}"`
    },
  }
  const body = letterBody(page, letter)
  const { direction } = languages[language]
  const html = `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting"><meta name="format-detection" content="date=no,address=no">
<title>${escaped(subject)}</title>
<style>${styleSheet(page, widths)}</style>
<!--[if mso]><style>*{font-family:'Segoe UI',Tahoma,Arial,sans-serif!important}</style><![endif]-->
</head>
${body}
</html>
`
  return { subject, text: plainLetter(letter), html, pictures: [...pictures.values()] }
}

const styleSheet = ({ start }: Page, widths: ReadonlySet<number>) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
@media(max-width:479px){.pad{padding-left:18px!important;padding-right:18px!important}.half{display:block!important;width:100%!important;box-sizing:border-box;padding:0!important}.half+.half{padding-top:10px!important}.h1{font-size:24px!important}.thread{height:auto!important}.awb{font-size:28px!important}.file{display:block!important;width:100%!important;padding:2px 0!important;text-align:${start}!important}${[...widths].map((modules) => `.bars${modules}{width:${modules * moduleWidth.narrow}px!important}`).join('')}}
@media(prefers-color-scheme:dark){.ground{background:#0a1513!important}.paper{background:#15302b!important}.ink{color:#f4efe3!important}.mut{color:#a9bdb7!important}.btn{background:#8fd3c4!important}.btn a{color:#06302b!important}.hair{border-color:#26443e!important}.knot{color:#f2b33d!important}.until{background:#38290a!important;color:#f2c46b!important}.ok{color:#8fd8a8!important}}
`

const table = (content: string, more = '') =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"${more}>${content}</table>`

/** Outlook ignores `max-width` and needs a table of fixed width. */
function column(content: string, direction: string) {
  const inner = `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px" dir="${direction}">${content}</table>`
  return `<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->${inner}<!--[if mso]></td></tr></table><![endif]-->`
}

function letterBody(page: Page, { preview, parts, language }: Letter) {
  const { direction } = languages[language]
  const head = `<tr><td class="pad" style="padding:12px 32px;text-align:${page.start}">${nameOfProduct(page)}</td></tr>`
  const rows = parts.map((part, index) => row(page, part, index === 0)).join('\n')
  const hidden =
    preview === ''
      ? ''
      : `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${marked(preview)}</div>\n`
  return `<body class="ground" style="margin:0;padding:0;background:${ground};-webkit-text-size-adjust:100%">
${hidden}${table(
  `<tr><td align="center" bgcolor="${night}" style="background:${night};padding:0">${column(head, direction)}</td></tr>
<tr><td align="center" style="padding:0 0 28px">${column(`\n${rows}\n`, direction)}</td></tr>`,
  ` class="ground" bgcolor="${ground}" style="background:${ground}"`,
)}
</body>`
}

function nameOfProduct(page: Page) {
  const name = escaped(brand.name[page.language])
  const drawing = page.ornament(`wordmark-${page.language}`)
  if (drawing === undefined) return `<span style="color:#ffffff;${font(800, 24, 2)}">${name}</span>`
  return `<img ${drawing} alt="${name}" style="display:inline-block;border:0;color:#ffffff;${font(800, 24, 1.25)}">`
}

function row(page: Page, part: LetterPart, isFirst: boolean): string {
  switch (part.kind) {
    case 'tag':
      return tagRow(page, part, isFirst)
    case 'places':
      return cell(page, '12px 32px 4px', placesTable(page, part.places))
    case 'code':
      return cell(page, '16px 32px 12px', `${ear(page, '', '')}${codeBox(part)}`)
    case 'link':
      return cell(page, '8px 32px 20px', button(part.label, part.url))
    case 'files':
      return cell(page, '0 32px 16px', filesBox(page, part))
    case 'contact':
      return cell(page, '16px 32px 4px', contactText(part), 'hair', `;border-top:3px dotted ${rule}`)
    default:
      return textRow(page, part, isFirst)
  }
}

const cell = (page: Page, padding: string, content: string, name = '', style = '') =>
  `<tr><td class="pad${name === '' ? '' : ` ${name}`}" style="padding:${padding};text-align:${page.start}${style}">${content}</td></tr>`

const textStyles = {
  text: { padding: '6px 32px', name: 'ink', colour: ink, font: font(500, 17, 1.7) },
  strong: { padding: '10px 32px 6px', name: 'ink', colour: ink, font: font(700, 17, 1.7) },
  quiet: { padding: '4px 32px 18px', name: 'mut', colour: muted, font: font(500, 15, 1.7) },
} as const

function textRow(page: Page, { kind, text }: LetterText, isFirst: boolean) {
  if (kind === 'title')
    return cell(
      page,
      `${isFirst ? 28 : 24}px 32px 6px`,
      `<h1 class="h1 ink" style="margin:0;${font(800, 26, 1.4)};color:${ink}">${marked(text)}</h1>`,
    )
  if (kind === 'done')
    return cell(
      page,
      '14px 32px 2px',
      `<p class="ok" style="margin:0;${font(700, 16, 1.7)};color:${paid}">&#10003; ${marked(text)}</p>`,
      'hair',
      `;border-top:3px dotted ${rule}`,
    )
  const style = textStyles[kind]
  return cell(
    page,
    style.padding,
    `<p class="${style.name}" style="margin:0;${style.font};color:${style.colour}">${marked(text)}</p>`,
  )
}

function ear(page: Page, first: string, last: string) {
  const side = (name: string) => {
    const corner = page.ornament(name)
    return corner === undefined
      ? ''
      : `<td width="28" style="line-height:0"><img ${corner} alt="" style="display:block;border:0"></td>`
  }
  const eyelet = page.ornament('eyelet')
  const hole =
    eyelet === undefined
      ? ''
      : `<td width="30" align="center" style="line-height:0"><img ${eyelet} alt="" style="display:block;border:0"></td>`
  const word = (text: string, align: string) =>
    `<td width="45%" style="width:45%;${font(700, 16, 1.4)};color:${ink};padding:0 6px;text-align:${align};white-space:nowrap">${text}</td>`
  const inside = table(
    `<tr>${word(first, page.start)}${hole}${word(last, page.end)}</tr>`,
    ` dir="${languages[page.language].direction}"`,
  )
  return table(
    `<tr>${side('ear-left')}<td bgcolor="${saffron}" height="44" style="background:${saffron};height:44px">${inside}</td>${side('ear-right')}</tr>`,
    ' dir="ltr"',
  )
}

function tagRow(page: Page, tag: LetterTag, isFirst: boolean) {
  const cord = isFirst ? page.ornament(`thread-${languages[page.language].direction}`) : undefined
  const thread =
    cord === undefined
      ? ''
      : `<img class="thread" ${cord} alt="" style="display:block;width:100%;height:34px;border:0">`
  const city = `<td style="${font(500, 15, 1.4)};color:#ffffff;text-align:${page.start}">${marked(tag.to)}<br><span style="font-size:38px;font-weight:800;line-height:1.35">${marked(tag.city)}</span>${tag.at === '' ? '' : `<br><span style="font-size:16px">${marked(tag.at)}</span>`}</td>`
  const letters =
    tag.letters === null
      ? ''
      : `<td valign="middle" dir="ltr" style="${font(900, 34, 1.4)};color:#ffffff;text-align:${page.end}">${escaped(tag.letters)}</td>`
  const rows = [
    `<tr><td bgcolor="${tag.colour}" style="background:${tag.colour};padding:12px 24px 14px">${table(`<tr>${city}${letters}</tr>`)}</td></tr>`,
    receiverRow(page, tag),
    barsRow(page, tag),
  ]
  const padding = isFirst && thread !== '' ? '0 32px' : '20px 32px 0'
  return cell(
    page,
    padding,
    `${thread}${ear(page, ltr(tag.order), marked(tag.weight))}${table(rows.join(''))}`,
  )
}

function receiverRow(page: Page, { receiver }: LetterTag) {
  if (receiver === null) return ''
  const label = `<td class="mut" style="${font(500, 16, 1.4)};color:${muted};text-align:${page.start}">${marked(receiver.label)}</td>`
  const name = `<td class="ink" style="${font(700, 17, 1.4)};color:${ink};text-align:${page.end}">${marked(receiver.name)}</td>`
  return `<tr><td class="paper" bgcolor="${paper}" style="background:${paper};padding:10px 24px">${table(`<tr>${label}${name}</tr>`)}</td></tr>`
}

/** The barcode stays on white in dark mode, so that scanners can read it. */
function barsRow(page: Page, { bars, hint }: LetterTag) {
  const text = `<div style="${font(500, 15, 1.6)};color:${muted};padding:0 8px">${marked(hint)}</div>`
  const drawn = bars === null ? '' : barsWithNumber(page, bars)
  return `<tr><td bgcolor="#ffffff" align="center" style="background:#ffffff;border-top:3px dotted ${colours['paper-rule']};padding:14px 10px;border-radius:0 0 16px 16px;text-align:center">${drawn}${text}</td></tr>`
}

function barsWithNumber(page: Page, { awb, label, alt }: LetterBars) {
  const picture = drawBarcode(awb)
  const width = picture.modules * moduleWidth.wide
  return `<img ${page.bars(picture, awb)} alt="${escaped(withoutMarks(alt))}" style="display:block;margin:0 auto;width:${width}px;max-width:100%;height:${barsHeight}px;border:0;background:#ffffff;color:${ink};${font(500, 15, 1.6)}"><div style="${font(500, 14, 1.4)};color:${muted};padding:6px 8px 0">${marked(label)}</div><div class="awb" dir="ltr" style="${font(900, 32, 1.4)};color:${ink};letter-spacing:.045em;white-space:nowrap;text-align:center">${escaped(awb)}</div>`
}

function codeBox({ code, text }: { readonly code: string; readonly text: string }) {
  return table(
    `<tr><td class="paper" bgcolor="${paper}" align="center" style="background:${paper};border-radius:0 0 16px 16px;padding:18px 16px 20px;text-align:center"><div dir="ltr" class="ink" style="${font(900, 60, 1.2)};color:${ink};letter-spacing:.16em;padding-left:.16em">${escaped(code)}</div><div class="mut" style="${font(500, 16, 1.7)};color:${muted}">${marked(text)}</div></td></tr>`,
  )
}

function placesTable(page: Page, places: readonly LetterPlace[]) {
  const gap = page.isRightToLeft ? '0 0 0 12px' : '0 12px 0 0'
  const halves = places.map(
    (place) =>
      `<td class="half" width="50%" valign="top" style="width:50%;padding:${gap};text-align:${page.start}">${placeText(place)}</td>`,
  )
  return table(`<tr>${halves.join('')}</tr>`)
}

function placeText({ isEnd, label, name, lines, deadline, storage }: LetterPlace) {
  const knot = `<span class="knot" aria-hidden="true" style="color:#a06a00;font-size:16px">${isEnd ? '&#9671;' : '&#9670;'}</span>&nbsp; `
  const more = lines.map(marked).join('<br>')
  const box = (text: string, names: string, background: string, colour: string) =>
    text === ''
      ? ''
      : table(
          `<tr><td class="${names}" bgcolor="${background}" style="background:${background};color:${colour};border-radius:8px;padding:6px 12px;${font(700, 16, 1.55)}">${marked(text)}</td></tr>`,
          ' style="margin:8px 0 4px"',
        )
  return `<p class="ink" style="margin:0 0 2px;${font(800, 18, 1.5)};color:${ink}">${knot}${marked(label)}</p><p class="ink" style="margin:0;${font(700, 17, 1.6)};color:${ink}">${marked(name)}</p>${more === '' ? '' : `<p class="mut" style="margin:0;${font(500, 16, 1.65)};color:${muted}">${more}</p>`}${box(deadline, 'until', '#fff4dc', '#8a5a00')}${box(storage, 'paper ink', paper, ink)}`
}

const button = (label: string, url: string) =>
  table(
    `<tr><td class="btn" align="center" bgcolor="${primary}" style="background:${primary};border-radius:12px;text-align:center"><a href="${escaped(url)}" style="display:block;padding:14px 24px;${font(700, 19, 1.5)};color:#ffffff;text-decoration:none">${marked(label)}</a></td></tr>`,
  )

function filesBox(page: Page, { label, files }: LetterFiles) {
  const cells = files.map(
    (file) =>
      `<td class="file" style="padding:2px 0;text-align:${page.start};${font(500, 16, 1.7)}"><b class="ink" style="color:${ink}">${marked(file.label)}</b> <span class="mut" style="color:${muted}">${ltr(file.name)}</span></td>`,
  )
  const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, index) =>
    cells.slice(2 * index, 2 * index + 2).join(''),
  )
  return `<p class="mut" style="margin:0;${font(500, 15, 1.7)};color:${muted}">${marked(label)}:</p>${table(rows.map((cells) => `<tr>${cells}</tr>`).join(''))}`
}

const contactText = ({ label, phone, email }: LetterContact) =>
  `<p class="ink" style="margin:0;${font(500, 16, 1.7)};color:${ink}"><b>${marked(label)}</b><br>${ltr(phone)}<br>${ltr(email)}</p>`

const ltr = (text: string) =>
  `<span dir="ltr" style="unicode-bidi:isolate;white-space:nowrap">${escaped(text)}</span>`

/** A value that `isolated` has marked becomes `<bdi>` and keeps its direction of writing. */
const marked = (text: string) =>
  escaped(text).replaceAll('\u2068', '<bdi>').replaceAll('\u2069', '</bdi>').replaceAll('\n', '<br>')

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
