import { call, copy } from './control.js'
import { html, nothing, repeat } from './lit.js'
import { actionButton, badge, counted, listScreen, refusals, timeOf } from './parts.js'
import { state, update } from './store.js'

const row = (order, current) => html`<li>
  <a
    data-row
    href="#/order/${encodeURIComponent(order.order)}"
    aria-current=${order.order === current ? 'true' : nothing}
  >
    <span class="line"><strong>${order.order}</strong> ${badge(order.standing)}</span>
    <span class="line small">
      <bdi>${order.name ?? 'no name'}</bdi>
      <span>${order.city ?? ''}</span>
    </span>
    <span class="line small">
      <span>${order.phone ?? 'no phone'}</span>
      <span>${order.amount ?? ''}</span>
      <time datetime=${order.createdAt}>${timeOf(order.createdAt)}</time>
    </span>
    <span class="small">${
      order.bags.length === 0
        ? 'no airway bill'
        : order.bags.map(({ awb, lastScan }) => `${awb} ${lastScan ?? ''}`).join(', ')
    }</span>
  </a>
</li>`

export function ordersList(reload) {
  const current = state.order?.order
  return listScreen('orders', {
    title: 'Orders',
    head: counted(state.lists.orders.total, 'order'),
    row: (order) => row(order, current),
    empty: 'No orders. Check out an order in the app.',
    reload,
  })
}

const kinds = [
  ['sms', 'SMS'],
  ['card', 'Card'],
  ['callback', 'Callbacks'],
  ['courier', 'Courier'],
  ['tracking', 'Tracking'],
  ['message', 'Messages'],
  ['refund', 'Refunds'],
]
const nameOfKind = Object.fromEntries(kinds)

const body = (title, message) =>
  message === null
    ? nothing
    : html`<h3>${title}</h3>
        <pre tabindex="0">${Object.entries(message.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}

${message.body?.text ?? ''}${message.body?.isCut ? '…' : ''}</pre>`

const differences = (callback) =>
  callback === null || callback.differences.length === 0
    ? nothing
    : html`<table>
        <caption>Signed fields that differ</caption>
        <thead><tr><th scope="col">Field</th><th scope="col">Sent</th><th scope="col">Expected</th></tr></thead>
        <tbody>${callback.differences.map(
          ({ field, sent, expected }) =>
            html`<tr><th scope="row">${field}</th><td>${sent}</td><td>${expected ?? 'no record'}</td></tr>`,
        )}</tbody>
      </table>`

/** Request and answer with headers and bodies; secrets are masked by the simulator. */
export const exchange = (entry, curl) => html`<details>
  <summary>${entry.direction === 'in' ? 'Request and answer' : 'What was sent, and the answer'}</summary>
  <p class="mono">${entry.request.method} ${entry.request.url}</p>
  ${entry.callback?.why ? html`<p class="bad-text">${entry.callback.why}</p>` : nothing}
  ${differences(entry.callback)} ${body('Sent', entry.request)}
  ${body(entry.response === null ? '' : `Answered ${entry.response.status}`, entry.response)}
  ${entry.error === null ? nothing : html`<p class="bad-text">${entry.error}</p>`}
  ${curl ? html`<button type="button" @click=${() => copy(curl, 'the request as curl')}>Copy as curl</button>` : nothing}
</details>`

const timelineItem = ({ at, kind, title, detail, tone, entry, curl, isRequest }) => html`<li
  class="event ${tone} ${isRequest ? 'request' : ''}"
>
  <time datetime=${at}>${timeOf(at)}</time>
  <span class="kind">${nameOfKind[kind]}</span>
  <div class="what">
    <p dir="auto">${title}</p>
    ${detail === null ? nothing : html`<p class="small" dir="auto">${detail}</p>`}
    ${entry === null ? nothing : exchange(entry, curl)}
  </div>
</li>`

function filters() {
  const box = (isOn, label, toggle) =>
    html`<label class="chip"
      ><input
        type="checkbox"
        .checked=${isOn}
        @change=${() => {
          toggle()
          update()
        }}
      />${label}</label
    >`
  const toggleKind = (kind) => () => {
    if (!state.hiddenKinds.delete(kind)) state.hiddenKinds.add(kind)
  }
  return html`<fieldset class="chips">
    <legend>Show</legend>
    ${kinds.map(([kind, label]) => box(!state.hiddenKinds.has(kind), label, toggleKind(kind)))}
    ${box(state.hasRequests, 'Requests of the gateway', () => {
      state.hasRequests = !state.hasRequests
    })}
  </fieldset>`
}

const option = (value, text) => html`<option value=${value}>${text}</option>`

const fieldOf = (id) => document.getElementById(id)?.value ?? ''

async function replay(order, outcome) {
  const delay = fieldOf('delay')
  const { callbacks, redirectUrl } = await call(
    'POST',
    `payments/${encodeURIComponent(order.order)}/replay`,
    {
      outcome,
      callback: fieldOf('callback'),
      ...(delay === '' ? {} : { delayMs: Number(delay) }),
    },
  )
  if (callbacks.length === 0) return `${outcome}: no callback; the browser goes to ${redirectUrl}`
  return `${outcome}: gateway answered ${callbacks.map(({ state: to, status, error }) => error ?? status ?? to).join(', ')}`
}

async function advance(shipment, to) {
  const { scans, pushes } = await call('POST', `shipments/${encodeURIComponent(shipment.awb)}/advance`, {
    to,
    push: fieldOf('push'),
  })
  const answers = pushes.map(({ state: way, status, error }) => error ?? status ?? way)
  return `${scans.map(({ ScanType }) => ScanType).join(', ')}: gateway answered ${answers.join(', ')}`
}

const takesMoneyBack = new Set(['refund', 'void'])

const payments = (order) => html`<section class="acts" aria-labelledby="payment-title">
  <h2 id="payment-title">Payment</h2>
  <div class="fields">
    <label>Callback
      <select id="callback">
        ${option('send', 'send at once')} ${option('lose', 'lose')} ${option('twice', 'twice at once')}
        ${option('late', 'late (30 s)')} ${option('forge', 'forge (bad signature)')}
        ${option('mismatch', 'mismatch (other amount)')}
      </select>
    </label>
    <label>Delay, ms <input id="delay" type="number" min="0" max="86400000" step="100" placeholder="none" /></label>
  </div>
  <div class="actions">
    ${order.actions.map(({ name, refusal, question }) =>
      actionButton({
        lock: order.order,
        label: name,
        refusal,
        question,
        kind: question !== null || takesMoneyBack.has(name) ? 'danger' : '',
        run: () => replay(order, name),
      }),
    )}
  </div>
  ${refusals(order.actions)}
</section>`

const shipments = (order) => html`<section class="acts" aria-labelledby="bags-title">
  <h2 id="bags-title">Bags</h2>
  <div class="fields">
    <label>Push
      <select id="push">
        ${option('send', 'send at once')} ${option('lose', 'lose')} ${option('twice', 'twice at once')}
        ${option('late', 'late (30 s)')} ${option('shuffle', 'shuffle')} ${option('forge', 'forge (wrong key)')}
      </select>
    </label>
  </div>
  ${repeat(
    order.shipments,
    ({ awb }) => awb,
    (shipment) => html`<div class="bag">
      <p>
        <span class="mono">${shipment.awb}</span> ${shipment.lastScan ?? 'no scan'}
        <a href="/control/shipments/${encodeURIComponent(shipment.awb)}/label" target="_blank">Label</a>
      </p>
      <div class="actions">
        ${shipment.actions.map(({ name, refusal }) =>
          actionButton({
            lock: shipment.awb,
            label: name,
            refusal,
            run: () => advance(shipment, name),
          }),
        )}
      </div>
      ${refusals(shipment.actions)}
    </div>`,
  )}
</section>`

const isShown = ({ kind, isRequest }) => !state.hiddenKinds.has(kind) && (state.hasRequests || !isRequest)

export function orderDetail() {
  const { order } = state
  if (order === null) return html`<section class="detail"><p class="empty">…</p></section>`
  if (order === 'missing')
    return html`<section class="detail">
      <p><a href="#/orders">All orders</a></p>
      <h1>${state.screen.ref}</h1>
      <p class="empty">The simulator knows no such order. It appears when its payment is opened.</p>
    </section>`
  return html`<section class="detail" aria-labelledby="order-title">
    <p><a href="#/orders">All orders</a></p>
    <h1 id="order-title" tabindex="-1">${order.order} ${badge(order.standing)}</h1>
    <p class="small">
      <bdi>${order.name ?? 'no name'}</bdi> · ${order.phone ?? 'no phone'} · ${order.city ?? 'no city yet'} ·
      ${order.amount ?? 'no payment'} ·
      ${order.payments.map(({ reference }) => reference ?? 'no reference').join(', ')}
    </p>
    ${order.page === null ? nothing : html`<p><a href=${order.page} target="_blank">Page of the order in the app</a></p>`}
    ${order.payments.length > 0 ? payments(order) : nothing}
    ${order.shipments.length > 0 ? shipments(order) : nothing}
    <section aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
      <div class="actions">
        <button type="button" @click=${() => copy(location.href, 'the address')}>Copy link</button>
      </div>
      ${filters()}
      <ol class="timeline">
        ${repeat(order.story.filter(isShown), ({ key }) => key, timelineItem)}
      </ol>
    </section>
  </section>`
}
