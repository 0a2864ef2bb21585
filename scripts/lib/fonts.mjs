import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { root } from './repo.mjs'

/*
 * The app's fonts, cut to the characters of its own texts, so that a first visit loads 15 kB per script instead
 * of 31 to 34. The full files follow by `unicode-range`, for names that users and partners write.
 */

const packageFolder = join(root, 'node_modules/@fontsource-variable/cairo')
export const fontsFolder = join(root, 'node_modules/.cache/fonts')

const weights = { min: 400, max: 900 }

/**
 * One cut file per script. `always`: letters included even if no text uses them, so that an ordinary name needs
 * no second file. `features`: undefined keeps all; the pairs of Latin kerning would be a third of the file.
 */
const scripts = [
  {
    name: 'latin',
    // Includes the signs of phone numbers, addresses and titles, spaces, and invisible characters that isolate
    // text of another direction or keep a date on one line.
    always: [
      ...[...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz @+|/_()#&'].map((sign) =>
        sign.charCodeAt(0),
      ),
      ...[0xa0, 0x202f, ...range(0x200b, 0x200f), ...range(0x2060, 0x2069)],
    ],
    features: ['ccmp', 'locl', 'liga', 'mark', 'mkmk', 'lnum', 'tnum'],
  },
  { name: 'arabic', always: [...range(0x621, 0x63a), ...range(0x641, 0x652)], features: undefined },
]

const latinRange = 'U+0020-00FF, U+2010-2044'

/**
 * Local fonts at the measures of Cairo, so that text hardly moves when Cairo arrives. `adjust`: width of the
 * app's texts in Cairo at weight 500, divided by their width in the local font at weight 400, both measured in
 * Chromium (docs/decisions/0077-no-hydration.md). Arimo and Liberation Sans, with Arial's widths, stand for Arial.
 */
const fallbacks = [
  { family: 'Local Roboto', local: ['Roboto'], unicodeRange: latinRange, adjust: 0.948 },
  {
    family: 'Local Arial',
    local: ['Arial', 'Liberation Sans', 'Arimo'],
    unicodeRange: latinRange,
    adjust: 0.94,
  },
  {
    family: 'Local Naskh',
    local: ['Noto Naskh Arabic UI', 'Noto Naskh Arabic'],
    unicodeRange: 'U+0600-06FF',
    adjust: 1.158,
  },
]

const cairo = { ascent: 1.303, descent: 0.571 }

export async function writeFonts() {
  mkdirSync(fontsFolder, { recursive: true })
  const used = usedCharacters()
  const covered = JSON.parse(readFileSync(join(packageFolder, 'unicode.json'), 'utf8'))
  const full = Object.keys(covered).map((subset) => fullFace(subset, covered[subset]))
  const cut = []
  for (const { name, always, features } of scripts) {
    const isCovered = coverage(covered[name])
    const characters = [...new Set([...used, ...always])].filter(isCovered).sort((a, b) => a - b)
    const source = readFileSync(join(packageFolder, `files/cairo-${name}-wght-normal.woff2`))
    const bytes = await subsetFont(source, String.fromCodePoint(...characters), {
      targetFormat: 'woff2',
      variationAxes: { wght: weights },
      ...(features && { keepFeatures: features }),
    })
    write(`cairo-${name}-cut.woff2`, bytes)
    cut.push(face(`./cairo-${name}-cut.woff2`, unicodeRangeOf(characters)))
  }
  // The last face that has a character wins.
  write('cairo.css', [...full, ...cut, ...fallbacks.map(fallbackFace)].join('\n'))
}

/** Renamed into place: another build may be reading it. */
function write(name, content) {
  const path = join(fontsFolder, name)
  writeFileSync(`${path}.${process.pid}`, content)
  renameSync(`${path}.${process.pid}`, path)
}

const fullFace = (subset, unicodeRange) =>
  face(`../../@fontsource-variable/cairo/files/cairo-${subset}-wght-normal.woff2`, unicodeRange)

// Equal weights in all faces: browsers combine only faces that differ in nothing but their characters.
function face(source, unicodeRange) {
  return `@font-face {
  font-family: "Cairo Variable";
  font-style: normal;
  font-display: swap;
  font-weight: ${weights.min} ${weights.max};
  src: url("${source}") format("woff2");
  unicode-range: ${unicodeRange};
}`
}

function fallbackFace({ family, local, unicodeRange, adjust }) {
  const percent = (value) => `${(100 * value).toFixed(2)}%`
  return `@font-face {
  font-family: "${family}";
  src: ${local.map((name) => `local("${name}")`).join(', ')};
  unicode-range: ${unicodeRange};
  size-adjust: ${percent(adjust)};
  ascent-override: ${percent(cairo.ascent / adjust)};
  descent-override: ${percent(cairo.descent / adjust)};
  line-gap-override: 0%;
}`
}

/**
 * Characters of the catalogues, and non-ASCII ones of texts in code. The letters of the table of spellings are
 * never shown.
 */
function usedCharacters() {
  const catalogues = textOf('client', /\.\w+\.json$/, (json) => valuesOf(JSON.parse(json)).join(''))
  const code = textOf('client', /(?<!\.test)\.tsx$/) + textOf('shared', /(?<!\.test|\/spelling)\.ts$/)
  const codes = [...catalogues, ...code.replace(/[\0-\x7f]+/g, '')].map((character) =>
    character.codePointAt(0),
  )
  return codes.filter((point) => point >= 0x20)
}

function textOf(folder, isText, read = (text) => text) {
  const names = readdirSync(join(root, folder), { recursive: true }).filter((name) => isText.test(name))
  return names.map((name) => read(readFileSync(join(root, folder, name), 'utf8'))).join('')
}

function valuesOf(catalogue) {
  return Object.values(catalogue).flatMap((value) =>
    typeof value === 'string' ? value.replace(/\{\{.*?\}\}/g, '') : valuesOf(value),
  )
}

function coverage(unicodeRange) {
  const parts = unicodeRange.split(',').map((part) => {
    const [from, to = from] = part.trim().slice(2).split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })
  return (code) => parts.some(([from, to]) => code >= from && code <= to)
}

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function unicodeRangeOf(codes) {
  const runs = []
  for (const code of codes) {
    const last = runs.at(-1)
    if (last?.to === code - 1) last.to = code
    else runs.push({ from: code, to: code })
  }
  const hex = (code) => code.toString(16).toUpperCase()
  return runs.map(({ from, to }) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(', ')
}
