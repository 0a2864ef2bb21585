import { html, nothing } from './lit.js'
import { exchange } from './orders.js'
import { badge, listScreen, timeOf } from './parts.js'
import { services, state } from './store.js'

const toneOf = ({ response, fault }) => {
  if (fault !== null) return 'wait'
  return response !== null && response.status < 400 ? 'good' : 'bad'
}

const row = (entry) => html`<li>
  <div class="text">
    <span class="line">
      ${badge({ text: entry.response?.status ?? 'no answer', tone: toneOf(entry) })}
      <strong>${entry.service}: ${entry.operation}</strong>
      <span>${entry.direction === 'in' ? 'from the gateway' : 'to the gateway'}</span>
      <time datetime=${entry.at}>${timeOf(entry.at)}</time>
    </span>
    <span class="line small">
      ${entry.orders.map((number) => html`<a href="#/order/OD-${number}">OD-${number}</a>`)}
      <span>${entry.durationMs} ms</span>
      ${entry.fault === null ? nothing : html`<span>fault ${entry.fault.kind}</span>`}
      ${entry.phone === null ? nothing : html`<span>${entry.phone}</span>`}
    </span>
    ${exchange(entry, entry.curl)}
  </div>
</li>`

/** Every request that the simulator got or sent. */
export function requestsList(reload) {
  const choose = (event) => {
    state.service = event.target.value
    return reload()
  }
  const above = html`<div class="fields">
    <label>Service
      <select @change=${choose}>
        <option value="">all</option>
        ${services.map((service) => html`<option ?selected=${service === state.service}>${service}</option>`)}
      </select>
    </label>
  </div>`
  return listScreen('requests', {
    title: 'Requests',
    head: 'Newest first',
    above,
    row,
    empty: 'No requests. The search here takes a whole order number, phone, reference or airway bill.',
    reload,
  })
}
