import { badge, copy, option, show, state, table, timeOf } from './control.js'
import { html, nothing, repeat } from './lit.js'

export const services = ['otp', 'payment', 'shipping', 'tracking', 'messaging', 'identity']

const message = (title, { headers, body }) => html`<h3>${title}</h3>
  <pre tabindex="0">${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}

${body?.text ?? ''}${body?.isCut ? '…' : ''}</pre>`

const difference = ({ field, sent, expected }) =>
  html`<p class="bad">${field}: sent ${sent}, expected ${expected ?? 'no record'}</p>`

/** Request and answer with headers and bodies; secrets are masked by the simulator. */
export const exchange = ({ request, response, callback, error }) => html`<details>
  <summary>Request and answer</summary>
  <p>${request.method} ${request.url}</p>
  ${callback?.why ? html`<p class="bad">${callback.why}</p>` : nothing} ${callback?.differences.map(difference)}
  ${message('Sent', request)} ${response === null ? nothing : message(`Answered ${response.status}`, response)}
  ${error === null ? nothing : html`<p class="bad">${error}</p>`}
</details>`

/** A one-time code, if there is one. */
export const copyable = (code) =>
  code === null
    ? nothing
    : html`<p><b class="code">${code}</b> <button type="button" @click=${() => copy(code)}>Copy code</button></p>`

const textRow = ({ phone, text, code, state: sent, isFailed, at }) => html`<tr>
  <td>${timeOf(at)}</td>
  <td>${phone}</td>
  <td dir="auto">${text}</td>
  <td>${badge({ text: sent, tone: isFailed ? 'bad' : 'plain' })}</td>
  <td>${copyable(code)}</td>
</tr>`

/** Every SMS and e-mail: one-time codes, messages about bags and letters. */
export const messagesScreen = () =>
  table({
    heads: ['Time', 'To', 'Text', 'State', 'Code'],
    rows: state.list?.texts ?? null,
    row: (texts) => repeat(texts, ({ key }) => key, textRow),
    empty: 'No messages. Ask for a code on the sign-in page.',
  })

function toneOf({ response, fault }) {
  if (fault !== null) return 'wait'
  return response !== null && response.status < 400 ? 'good' : 'bad'
}

const requestRow = (entry) => html`<tr>
  <td>${timeOf(entry.at)}</td>
  <td>${entry.direction === 'in' ? 'from' : 'to'} the gateway</td>
  <td><b>${entry.service}: ${entry.operation}</b> ${exchange(entry)}</td>
  <td>${entry.orders.map((number) => html`<a href="#/orders/OD-${number}">OD-${number}</a> `)}${entry.phone ?? ''}</td>
  <td>${badge({ text: entry.response?.status ?? 'no answer', tone: toneOf(entry) })} ${entry.fault === null ? '' : `fault ${entry.fault.kind}`}</td>
  <td>${entry.durationMs} ms</td>
</tr>`

/** Every request that the simulator got or sent. */
export const requestsScreen = () => html`<div class="fields">
    <label>Service
      <select @change=${({ target }) => show({ service: target.value })}>
        ${['', ...services].map((service) => option(service, service || 'all', state.service))}
      </select>
    </label>
  </div>
  ${table({
    heads: ['Time', 'Way', 'Request', 'About', 'Answer', 'Took'],
    rows: state.list?.entries ?? null,
    row: (entries) => repeat(entries, ({ id }) => id, requestRow),
    empty: 'No requests. The search takes a whole order number, phone, reference or airway bill.',
  })}`
