import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/*
 * The app's icon as bitmaps: home screens of iOS and link previews show no SVG. Made at build from the one icon,
 * client/public/favicon.svg, which fills its square, so that a launcher may cut it to its own shape.
 */

const night = '#06302b'

/** File names with their sizes. */
const bitmaps = [
  { name: 'apple-touch-icon.png', width: 180, height: 180 },
  { name: 'icon-192.png', width: 192, height: 192 },
  { name: 'icon-512.png', width: 512, height: 512 },
  { name: 'preview.png', width: 1200, height: 630 },
]

/** Writes the bitmaps of `favicon.svg` into the same folder. */
export async function writeIcons(folder) {
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
  const icon = readFileSync(join(folder, 'favicon.svg'), 'utf8')
  for (const { name, width, height } of bitmaps) {
    const placed = icon.replace(
      '<svg ',
      `<svg x="${(width - height) / 2}" width="${height}" height="${height}" `,
    )
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <path fill="${night}" d="M0 0h${width}v${height}H0z"/>${placed}</svg>`
    writeFileSync(join(folder, name), new Resvg(svg).render().asPng())
  }
}

/** The web manifest in one language. */
export function manifestOf({ code, direction }, brand) {
  return {
    name: brand.name[code],
    short_name: brand.name[code],
    description: brand.description[code],
    lang: code,
    dir: direction,
    id: '/',
    start_url: '/orders',
    scope: '/',
    display: 'standalone',
    background_color: night,
    theme_color: night,
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      ...[192, 512].flatMap((size) =>
        ['any', 'maskable'].map((purpose) => ({
          src: `/icon-${size}.png`,
          type: 'image/png',
          sizes: `${size}x${size}`,
          purpose,
        })),
      ),
    ],
  }
}
