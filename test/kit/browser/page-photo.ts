import type { Page } from 'playwright-core'

/** A picture as a camera writes it: large, with a place and a device beside it. */
export async function drawnPicture(page: Page) {
  const picture = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 2_400
    canvas.height = 1_800
    canvas.getContext('2d')?.fillRect(0, 0, 1_200, 900)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  const drawn = Buffer.from(picture, 'base64')
  const exif = Buffer.from('\xff\xe1\0\x08Exif\0\0', 'latin1')
  const buffer = Buffer.concat([drawn.subarray(0, 2), exif, drawn.subarray(2)])
  return { name: 'bag.jpg', mimeType: 'image/jpeg', buffer }
}
