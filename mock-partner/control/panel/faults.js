import { button, call, press, state, table } from './control.js'
import { services } from './lists.js'
import { html, nothing, repeat } from './lit.js'

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

const detailsOf = ({ kind, delayMs, delay, status }) => {
  if (kind === 'delay') return delay ? `${delay.min} to ${delay.max} ms` : `${delayMs} ms`
  return kind === 'status' ? status : ''
}

const matchOf = ({ match = {} }) =>
  Object.entries(match)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'every request'

/** Everything that makes the services behave otherwise: its row, and the call that ends it. */
export function activeFaults() {
  const { faults, unusual } = state.overview
  const rows = faults.map((fault) => ({
    path: `faults/${fault.id}`,
    cells: [
      fault.service,
      `${fault.kind} ${detailsOf(fault)}`.trim(),
      matchOf(fault),
      `${Math.round(fault.probability * 100)} %`,
      fault.count ?? 'no end',
    ],
  }))
  if (unusual.probability > 0 || unusual.lagMs > 0)
    rows.push({
      path: 'unusual/payment',
      cells: [
        'payment',
        `unusual answers, inquiry lags ${unusual.lagMs} ms`,
        'new payments',
        `${Math.round(unusual.probability * 100)} %`,
        'no end',
      ],
    })
  return rows
}

const row = ({ path, cells }) => html`<tr>
  ${cells.map((cell) => html`<td>${cell}</td>`)}
  <td><div class="actions">
    ${button({
      label: 'End',
      name: `End ${cells[0]}: ${cells[1]}`,
      run: () => call('DELETE', path).then(() => `Ended: ${cells[0]}: ${cells[1]}`),
    })}
  </div></td>
</tr>`

const numbers = ['probability', 'count', 'delayMs', 'status']

function setFault(event) {
  event.preventDefault()
  const { service, kind, ...rest } = Object.fromEntries(
    [...new FormData(event.target)].filter(([, value]) => value !== ''),
  )
  const fault = { kind }
  for (const name of numbers) if (name in rest) fault[name] = Number(rest[name])
  const { order, phone, operation } = rest
  if (order || phone || operation) fault.match = { order, phone, operation }
  return press({
    label: 'Set fault',
    run: () => call('PUT', `faults/${service}`, fault).then(() => `${service}: ${kind} set`),
  })
}

const form = html`<form class="fields" @submit=${setFault}>
  <label>Service <select name="service">${services.map((service) => html`<option>${service}</option>`)}</select></label>
  <label>Kind <select name="kind">${kinds.map(([kind, text]) => html`<option value=${kind}>${text}</option>`)}</select></label>
  <label>Probability <input name="probability" type="number" min="0" max="1" step="0.05" value="1" /></label>
  <label>Requests <input name="count" type="number" min="1" placeholder="all" /></label>
  <label>Delay, ms <input name="delayMs" type="number" min="0" value="5000" /></label>
  <label>Status <input name="status" type="number" min="200" max="599" value="503" /></label>
  <label>Only order <input name="order" pattern="(OD-)?[0-9]+" placeholder="all" /></label>
  <label>Only phone <input name="phone" pattern="\\+[0-9]+" placeholder="all" /></label>
  <label>Only operation <input name="operation" placeholder="all" /></label>
  <button type="submit" class="primary">Set fault</button>
</form>`

const setPace = () => {
  const minutesPerDay = Number(document.getElementById('pace').value)
  return call('PUT', 'journey', { minutesPerDay }).then(() => `A day of the bags: ${minutesPerDay} min`)
}

const endAll = () => call('DELETE', 'faults').then(() => 'Ended: all faults')

const reset = () => call('POST', 'reset').then(({ sides }) => `Emptied: ${sides.join(' and ')}`)

export function faultsScreen() {
  if (state.overview === null) return nothing
  const { minutesPerDay, faults } = state.overview
  return html`${table({
    heads: ['Service', 'Kind', 'Only for', 'Probability', 'Requests left', 'End'],
    rows: activeFaults(),
    row: (faults) => repeat(faults, ({ path }) => path, row),
    empty: 'Everything works.',
  })}
  ${faults.length > 1 ? button({ label: 'End all faults', run: endAll }) : nothing}
  <h2>A fault</h2>
  ${form}
  <h2>The world</h2>
  <div class="fields">
    <label>Minutes per day of the bags; 0: on demand only <input id="pace" type="number" min="0" max="10080" value="1" /></label>
    ${button({ label: 'Travel by themselves', run: setPace })}
    ${button(
      {
        label: 'Reset everything',
        question:
          'Delete every code, payment, shipment and message of the simulator, and the orders of a gateway in demo mode?',
        run: reset,
      },
      'danger',
    )}
  </div>
  <p class="mut">${minutesPerDay === 0 ? 'Bags travel on demand only.' : `A day of the bags lasts ${minutesPerDay} min.`}</p>`
}
