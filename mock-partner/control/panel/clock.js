import { call } from './control.js'
import { html } from './lit.js'
import { actionButton, dateOf } from './parts.js'
import { state } from './store.js'

const steps = [
  ['+1 min', 60_000],
  ['+10 min', 600_000],
  ['+1 h', 3_600_000],
  ['+1 day', 86_400_000],
]

/** A call that changes the simulator, and the gateway where it takes part. */
const atSides = (method, path, done) =>
  call(method, path).then(({ sides }) => `${done}: ${(sides ?? ['simulator']).join(' and ')}`)

export function clockScreen() {
  const { overview } = state
  if (overview === null) return html`<section class="list"><h1>Clock and world</h1></section>`
  const setPace = () => {
    const minutesPerDay = Number(document.getElementById('pace').value)
    return call('PUT', 'journey', { minutesPerDay }).then(() => 'Bags travel by themselves: set')
  }
  return html`<section class="list" aria-labelledby="world-title">
    <h1 id="world-title">Clock and world</h1>
    <p>Simulated time <time datetime=${overview.now}>${dateOf(overview.now)}</time></p>
    <div class="actions">
      ${steps.map(([label, advanceMs]) =>
        actionButton({
          lock: 'clock',
          label,
          run: () => call('POST', 'clock', { advanceMs }).then(({ now }) => `It is ${dateOf(now)}`),
        }),
      )}
    </div>
    <h2>Bags</h2>
    <p class="small">
      ${overview.minutesPerDay === 0 ? 'They travel on demand only.' : `A day of theirs lasts ${overview.minutesPerDay} min.`}
    </p>
    <div class="fields">
      <label>Minutes per day, 0 ends it <input id="pace" type="number" min="0" max="10080" value="1" /></label>
      ${actionButton({ lock: 'pace', label: 'Travel by themselves', run: setPace })}
    </div>
    <h2>Counters</h2>
    <dl class="counters">
      ${Object.entries(overview.counters).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>
    <h2>Reset</h2>
    <div class="actions">
      ${actionButton({
        lock: 'reset',
        label: 'Reset everything',
        question:
          'Delete every code, payment, shipment and message of the simulator, and the orders of a gateway in demo mode?',
        kind: 'danger',
        run: () => atSides('POST', 'reset', 'Emptied'),
      })}
    </div>
  </section>`
}
