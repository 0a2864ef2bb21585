import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/*
 * The app's icon as bitmaps, because iOS home screens show no SVG. Made at build from client/public/favicon.svg,
 * which fills its square, so that a launcher may cut it to its own shape.
 */

const night = '#06302b'

const bitmaps = [
  { name: 'apple-touch-icon.png', size: 180 },
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
]

let loaded

export async function loadResvg() {
  loaded ??= initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
  await loaded
  return Resvg
}

export async function writeIcons(folder) {
  await loadResvg()
  const icon = readFileSync(join(folder, 'favicon.svg'), 'utf8')
  for (const { name, size } of bitmaps) {
    const svg = icon.replace('<svg ', `<svg width="${size}" height="${size}" `)
    writeFileSync(join(folder, name), new Resvg(svg).render().asPng())
  }
}

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
