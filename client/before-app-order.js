/*
 * The start of the first script of an order's document; before-app.js follows in the same file (worker/worker.plugin.ts). Bars
 * and number of a paid order are drawn in its outline as soon as its answer has come: on a slow line the app comes seconds later,
 * and draws the same (entities/airway-bill/barcode.tsx).
 */

// Code 128, set C: six widths for each pair of digits.
const patterns = [
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222',
  '123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321',
  '232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121',
  '313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224',
  '111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111',
  '111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113',
  '114311411113411311113141114131311141411131211412211214211232',
].join('')
const quietZone = 10
const widthsOf = (awb) => {
  const pairs = awb.match(/../g).map(Number)
  const check = (105 + pairs.reduce((sum, pair, index) => sum + pair * (index + 1), 0)) % 103
  const symbols = [105, ...pairs, check].map((symbol) => patterns.slice(symbol * 6, symbol * 6 + 6))
  return [...symbols, '2331112'].join('')
}
const drawCode = (place, awb) => {
  let path = ''
  let modules = quietZone
  for (const [index, width] of [...widthsOf(awb)].entries()) {
    if (index % 2 === 0) path += `M${modules} 0h${width}v1h-${width}z`
    modules += Number(width)
  }
  modules += quietZone
  place.dataset.drawn = ''
  const perModule = Math.max(1, Math.floor((place.clientWidth * devicePixelRatio) / modules))
  const bars = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const attributes = {
    role: 'img',
    'aria-label': awb,
    width: (perModule * modules) / devicePixelRatio,
    viewBox: `0 0 ${modules} 1`,
    preserveAspectRatio: 'none',
  }
  for (const [name, value] of Object.entries(attributes)) bars.setAttribute(name, value)
  const drawn = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  drawn.setAttribute('d', path)
  bars.append(drawn)
  const number = document.createElement('b')
  number.translate = false
  number.textContent = awb
  place.replaceChildren(bars, number)
  place.closest('[data-loading]').removeAttribute('aria-hidden')
  window.firstCode = { path: location.pathname, nodes: [bars, number] }
}
// Only a bag that its owner still has: the page of any other shows another tag.
window.showFirstOrder = ({ order }) => {
  const [bag, ...others] = order.bookings
  const place = document.querySelector('#served [data-code-place]')
  const isWaiting = order.status === 'PAID' && (bag?.state === null || bag?.state === 'READY')
  if (place && isWaiting && others.length === 0 && /^\d{12}$/.test(bag.awb)) drawCode(place, bag.awb)
}
