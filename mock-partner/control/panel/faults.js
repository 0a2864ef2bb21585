import { call, press } from './control.js'
import { html } from './lit.js'
import { actionButton } from './parts.js'
import { services, state } from './store.js'

const presets = [
  {
    name: 'Slow courier',
    text: 'Shipments and tracking answer after 8 seconds.',
    faults: [
      ['shipping', { kind: 'delay', delayMs: 8_000 }],
      ['tracking', { kind: 'delay', delayMs: 8_000 }],
    ],
  },
  {
    name: 'Silent provider',
    text: 'The payment provider never answers.',
    faults: [['payment', { kind: 'hang' }]],
  },
  {
    name: 'SMS outage',
    text: 'Codes and messages are answered with 503.',
    faults: [
      ['otp', { kind: 'status', status: 503 }],
      ['messaging', { kind: 'status', status: 503 }],
    ],
  },
]

async function setPreset({ name, faults }) {
  for (const [service, fault] of faults) await call('PUT', `faults/${service}`, fault)
  return `${name}: set`
}

const kinds = [
  ['delay', 'delay: answer late'],
  ['status', 'status: answer an error'],
  ['reset', 'reset: drop the connection'],
  ['hold', 'hold: answer when the fault ends'],
  ['hang', 'hang: never answer'],
  ['garbage', 'garbage: answer nonsense'],
  ['unusual', 'unusual: a true answer in an odd form (otp alone)'],
  ['lose-answer', 'lose-answer: do the work, drop the reply'],
]

const numbers = ['probability', 'count', 'delayMs', 'status']

function setFault(event) {
  event.preventDefault()
  const { service, kind, order, phone, operation, ...rest } = Object.fromEntries(new FormData(event.target))
  const match = Object.fromEntries(
    Object.entries({
      order: order === '' ? '' : Number(order.replace(/^OD-/i, '')),
      phone,
      operation,
    }).filter(([, value]) => value !== ''),
  )
  const fault = { kind, ...(Object.keys(match).length === 0 ? {} : { match }) }
  for (const name of numbers) if (rest[name] !== '') fault[name] = Number(rest[name])
  return press({
    lock: 'fault',
    label: 'Set fault',
    run: () => call('PUT', `faults/${service}`, fault).then(() => `${service}: ${kind} set`),
  })
}

export function faultsScreen() {
  const count = state.overview?.faults.length ?? 0
  return html`<section class="list" aria-labelledby="faults-title">
    <h1 id="faults-title">Faults</h1>
    <p class="small">${count === 0 ? 'Everything works.' : `${count} active, shown above on every screen.`}</p>
    <div class="actions">
      ${actionButton({
        lock: 'faults',
        label: 'End all faults',
        refusal: count === 0 ? 'there is none' : null,
        run: () => call('DELETE', 'faults').then(() => 'All faults ended'),
      })}
    </div>
    <h2>Presets</h2>
    <ul class="presets">
      ${presets.map(
        (preset) =>
          html`<li>
            ${actionButton({ lock: 'preset', label: preset.name, run: () => setPreset(preset) })}
            <span class="small">${preset.text}</span>
          </li>`,
      )}
    </ul>
    <h2>Any fault</h2>
    <form class="fields" @submit=${setFault}>
      <label>Service <select name="service">${services.map((service) => html`<option>${service}</option>`)}</select></label>
      <label>Kind
        <select name="kind">${kinds.map(([kind, text]) => html`<option value=${kind}>${text}</option>`)}</select>
      </label>
      <label>Probability <input name="probability" type="number" min="0" max="1" step="0.05" value="1" /></label>
      <label>Requests <input name="count" type="number" min="1" placeholder="all" /></label>
      <label>Delay, ms <input name="delayMs" type="number" min="0" value="5000" /></label>
      <label>Status <input name="status" type="number" min="200" max="599" value="503" /></label>
      <label>Only order <input name="order" pattern="(OD-)?[0-9]+" placeholder="all" /></label>
      <label>Only phone <input name="phone" pattern="\\+[0-9]+" placeholder="all" /></label>
      <label>Only operation <input name="operation" placeholder="all" /></label>
      <button type="submit" class="primary">Set fault</button>
    </form>
  </section>`
}
