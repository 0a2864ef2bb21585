import bwip from 'bwip-js/node'
import type { GenericObject } from '#shared/wire/wallet/wallet.wire.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** What a person sees who opens the link, under our own look: a stand-in for the page of Google. */
export function walletPage(read: readonly GenericObject[] | string): string {
  const content =
    typeof read === 'string'
      ? `<h1>This pass cannot be saved</h1><p>${escaped(read)}</p>`
      : read.map(passOf).join('')
  return `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>Wallet (test)</title>
    <style>
      body { font: 17px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 26rem; padding: 16px }
      article { border-radius: 16px; color: #fff; overflow-wrap: anywhere; padding: 20px }
      h1, h2, p, dl { margin: 0 0 8px }
      figure { background: #fff; border-radius: 8px; color: #000; margin: 16px 0 0; padding: 16px; text-align: center }
      svg { height: auto; max-width: 100% }
      dt { opacity: 0.8 }
      dd { font-weight: 700; margin: 0 }
    </style>
  </head>
  <body>
    <p>TEST: the simulator stands in for the wallet. Nothing is saved.</p>
    ${content}
  </body>
</html>
`
}

function passOf({
  cardTitle,
  subheader,
  header,
  barcode,
  hexBackgroundColor,
  textModulesData = [],
}: GenericObject) {
  const { value, alternateText = '' } = barcode
  const line = (tag: string, text: string | undefined) =>
    text === undefined ? '' : `<${tag}>${escaped(text)}</${tag}>`
  return `<article dir="auto" style="background: ${hexBackgroundColor ?? '#444444'}">
      ${line('p', cardTitle.defaultValue.value)}
      ${line('p', subheader?.defaultValue.value)}
      ${line('h1', header.defaultValue.value)}
      <dl>${textModulesData.map((each) => line('dt', each.header) + line('dd', each.body)).join('')}</dl>
      <figure>${bwip.toSVG({ bcid: 'code128', text: value })}<figcaption>${escaped(alternateText)}</figcaption></figure>
    </article>`
}
