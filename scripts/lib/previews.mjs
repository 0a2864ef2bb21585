import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadResvg } from './icons.mjs'
import { root } from './repo.mjs'

/*
 * The pictures of link previews as bitmaps, because messengers show no SVG. One takes a tenth of a second, so
 * they are cached by content.
 */

const kept = join(root, 'node_modules/.cache/previews')

/** The weights that they use. Whole TTFs hold Arabic and Latin together. */
const fonts = ['800ExtraBold/Cairo_800ExtraBold', '900Black/Cairo_900Black']

/** `pictures`: SVG by address, with tokens of ui/tokens.css as colours. */
export async function writePreviews(folder, pictures) {
  const Resvg = await loadResvg()
  const tokens = lightTokens()
  const fontBuffers = fonts.map((font) =>
    readFileSync(join(root, `node_modules/@expo-google-fonts/cairo/${font}.ttf`)),
  )
  mkdirSync(kept, { recursive: true })
  for (const [address, drawn] of pictures) {
    const svg = withColours(drawn, tokens)
    const file = join(kept, `${createHash('sha256').update(svg).digest('hex')}.png`)
    if (!existsSync(file)) {
      const bitmap = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'Cairo' } }).render()
      // Renamed into place: another build may be reading it.
      writeFileSync(`${file}.${process.pid}`, bitmap.asPng())
      bitmap.free()
      renameSync(`${file}.${process.pid}`, file)
    }
    const target = join(folder, address)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(file, target)
  }
}

function lightTokens() {
  const css = readFileSync(join(root, 'client/ui/tokens.css'), 'utf8')
  const [light] = css.split('@media')
  return new Map([...light.matchAll(/(--[\w-]+):\s*(#\w+);/g)].map(([, name, colour]) => [name, colour]))
}

function withColours(svg, tokens) {
  return svg.replace(/var\((--[\w-]+)(?:, var\((--[\w-]+)\))?\)/g, (text, name, other) => {
    const colour = tokens.get(name) ?? tokens.get(other)
    if (colour === undefined) throw new Error(`ui/tokens.css has no colour for ${text}`)
    return colour
  })
}
