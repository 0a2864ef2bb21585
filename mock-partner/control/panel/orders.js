import { badge, button, call, option, segments, show, state, table, timeOf, update } from './control.js'
import { copyable, exchange } from './lists.js'
import { html, nothing, repeat } from './lit.js'

const pathOf = (text) => encodeURIComponent(text)

const fieldOf = (id) => document.getElementById(id).value

const wishOf = (name) => ({
  [name]: fieldOf(name),
  ...(fieldOf('delay') === '' ? {} : { delayMs: Number(fieldOf('delay')) }),
})

const answersOf = (deliveries) =>
  deliveries.map(({ state: sent, status, error }) => error ?? status ?? sent).join(', ')

const words = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ')

const kinds = { success: 'ok', decline: 'danger', refund: 'warn', void: 'warn' }

function payButton({ order }, { name, question }) {
  const run = async () => {
    const path = `payments/${pathOf(order)}/replay`
    const { callbacks, redirectUrl } = await call('POST', path, { outcome: name, ...wishOf('callback') })
    return callbacks.length === 0
      ? `${order}: no callback; the browser goes to ${redirectUrl}`
      : `${order}: ${name}, the gateway answered ${answersOf(callbacks)}`
  }
  return button({ label: words(name), name: `${words(name)} ${order}`, question, run }, kinds[name])
}

/** @param to the step; the next station without one. */
function scanButton(order, { awb }, to) {
  const label = to === undefined ? 'Next scan' : words(to)
  const run = async () => {
    const path = `shipments/${pathOf(awb)}/advance`
    const { scans, pushes } = await call('POST', path, { to, ...wishOf('push') })
    const codes = scans.map(({ ScanType }) => ScanType).join(', ')
    return `${order}: ${codes}, the gateway answered ${answersOf(pushes)}`
  }
  return button({ label, name: `${label} ${order}`, run }, 'scan')
}

/** A paid order whose bag travels is where its bag is. */
function nowOf({ standing, bags: [bag] }) {
  if (standing.tone !== 'good' || bag === undefined) return standing
  return { text: bag.lastScan ?? 'waits for the courier', tone: bag.steps.length > 0 ? 'info' : 'plain' }
}

const nothingHappens = {
  'to-pay': 'Nothing until it is paid',
  'on-the-way': 'Nothing until it is scanned',
  done: 'Nothing more',
}

/** Money goes back, or is charged again, only by the buttons of the chosen order; a refund is always near. */
function rowButtons(order) {
  const bag = order.bags.find(({ steps }) => steps.length > 0)
  return html`${bag ? scanButton(order.order, bag) : nothing}
  ${order.actions
    .filter(({ name, question }) => question === null || name === 'refund')
    .map((action) => payButton(order, action))}`
}

const row = (order) => html`<tr aria-current=${order.order === state.ref ? 'true' : nothing}>
  <th scope="row"><a href="#/orders/${pathOf(order.order)}">${order.order}</a></th>
  <td>${order.station === null ? nothing : html`<span class="city ${order.station}" title=${order.city}>${order.station}</span>`}</td>
  <td><bdi><b>${order.name ?? 'no name'}</b></bdi><small>${order.phone ?? 'no phone'}</small></td>
  <td>${badge(nowOf(order))}</td>
  <td class=${order.next === null ? 'mut' : ''}>${order.next ?? nothingHappens[order.group]}</td>
  <td><div class="actions">${rowButtons(order)}</div></td>
</tr>`

const callbackModes = [
  ['send', 'send at once'],
  ['lose', 'lose'],
  ['twice', 'twice at once'],
  ['late', 'late (30 s)'],
  ['forge', 'forge (bad signature)'],
  ['mismatch', 'mismatch (other amount)'],
]
const pushModes = [...callbackModes.slice(0, 4), ['shuffle', 'shuffle'], ['forge', 'forge (wrong key)']]

/** How the next presses are carried out. */
const wishes = html`<div class="fields">
  <label>Callback <select id="callback">${callbackModes.map(([mode, text]) => option(mode, text))}</select></label>
  <label>Push of scans <select id="push">${pushModes.map(([mode, text]) => option(mode, text))}</select></label>
  <label>Delay, ms <input id="delay" type="number" min="0" max="86400000" step="100" placeholder="none" /></label>
</div>`

const messageRow = ({ at, phone, text, code, state: sent, isFailed }) => html`<li>
  <p class="mut">${badge({ text: sent, tone: isFailed ? 'bad' : 'plain' })} ${phone} ${timeOf(at)}</p>
  ${copyable(code)}
  <p dir="auto">${text}</p>
</li>`

const storyRow = ({ at, service, title, detail, tone, entry }) => html`<li class=${tone}>
  <p class="mut"><span class="badge">${service}</span> ${timeOf(at)}</p>
  <p>${title}</p>
  <p class="mut">${detail}</p>
  ${exchange(entry)}
</li>`

const parts = {
  messages: ({ messages }) => repeat(messages, ({ key }) => key, messageRow),
  timeline: ({ story }) => repeat(story, ({ id }) => id, storyRow),
}

const bagRow = (order, bag) => html`<p>
    ${bag.awb} ${bag.lastScan ?? 'no scan'}
    <a href="/control/shipments/${pathOf(bag.awb)}/label" target="_blank">Label</a>
  </p>
  <div class="actions">${bag.steps.map((step) => scanButton(order.order, bag, step))}</div>`

function chosenOrder() {
  const { order, part } = state
  if (order === null) return nothing
  if (order.order === undefined)
    return html`<aside class="box"><h2>${state.ref}</h2>
      <p class="mut">The simulator knows no such order. It appears when its payment is opened.</p></aside>`
  return html`<aside class="box" aria-labelledby="order-title">
    <h2 id="order-title" tabindex="-1">${order.order} ${badge(order.standing)}</h2>
    <p>${order.amount ?? 'no payment'} · ${order.references.map((reference) => reference ?? 'no reference').join(', ')}
      ${order.page === null ? nothing : html`<a href=${order.page} target="_blank">Page in the app</a>`}</p>
    <div class="actions">${order.actions.map((action) => payButton(order, action))}</div>
    ${order.bags.map((bag) => bagRow(order, bag))}
    ${segments(
      'Show',
      Object.keys(parts).map((name) => [name, words(name)]),
      part,
      (name) => {
        state.part = name
        update()
      },
    )}
    <ol class="story">${parts[part](order)}</ol>
    <p><a href="#/requests/${pathOf(order.order)}">All requests about it</a></p>
  </aside>`
}

export function ordersScreen() {
  const { list, group, ref } = state
  const counts = list?.counts ?? {}
  const groups = [
    ['', 'All', list?.total],
    ['to-pay', 'To pay', counts['to-pay']],
    ['on-the-way', 'On the way', counts['on-the-way']],
    ['done', 'Done', counts.done],
  ]
  return html`<div class=${ref === null ? '' : 'both'}>
    <section>
      ${segments(
        'Orders',
        groups.map(([name, text, count]) => [name, `${text} ${count ?? ''}`]),
        group,
        (name) => show({ group: name }),
      )}
      ${wishes}
      ${table({
        heads: ['Order', 'To', 'Pilgrim', 'Now', 'What happens by itself', 'Make it happen now'],
        rows: list?.orders ?? null,
        row: (orders) => repeat(orders, ({ order }) => order, row),
        empty: 'No orders. Check out an order in the app.',
      })}
    </section>
    ${chosenOrder()}
  </div>`
}
