import { call, press } from './control.js'
import { html, nothing, repeat } from './lit.js'
import { pageSize, showFresh, state } from './store.js'

/** Of the app's days and hours; the foot of the page names it. */
const timeZone = 'Asia/Riyadh'

/** `26 Nov, 10:00:02` in Riyadh. */
export const timeOf = (iso) =>
  new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  })
export const dateOf = (iso) => `${new Date(iso).toLocaleString('en-GB', { timeZone })} (${timeZone})`

export const counted = (count, name) => `${count} ${name}${count === 1 ? '' : 's'}`

export const badge = ({ text, tone }) => html`<span class="badge ${tone}">${text}</span>`

/** @param action as the control API describes it: name, refusal, question. */
export function actionButton({ lock, label, refusal = null, question = null, kind = '', run }) {
  const isBusy = state.busy.has(lock)
  return html`<button
    type="button"
    class=${kind}
    aria-disabled=${refusal !== null || isBusy ? 'true' : nothing}
    aria-busy=${isBusy ? 'true' : nothing}
    title=${refusal ?? nothing}
    @click=${() => press({ lock, label, refusal, question, run })}
  >
    ${label}
  </button>`
}

/** Why buttons cannot act, in sight without a press: `decline, cancel: it was paid`. */
export function refusals(actions) {
  const byReason = Map.groupBy(
    actions.filter(({ refusal }) => refusal !== null),
    ({ refusal }) => refusal,
  )
  return byReason.size === 0
    ? nothing
    : html`<p class="small">${[...byReason]
        .map(([reason, refused]) => `${refused.map(({ name }) => name).join(', ')}: ${reason}`)
        .join(' · ')}</p>`
}

/** How many there are, and the button that shows new ones: its line is always there, so that nothing moves. */
function listHead(list, text, reload, newest) {
  const showNew = async () => {
    showFresh(list)
    await reload()
    // The button is gone: the focus goes to the newest row.
    document.querySelector('[data-row]')?.focus()
  }
  return html`<div class="list-head">
    <span>${text}</span>
    ${
      list.freshCount > 0
        ? html`<button type="button" class="fresh" @click=${showNew}>${list.freshCount} new ${newest}</button>`
        : nothing
    }
  </div>`
}

function moreButton(list, reload) {
  if (list.shown.length + list.freshCount >= list.total) return nothing
  const showMore = () => {
    list.limit += pageSize
    return reload()
  }
  return html`<button type="button" class="more" @click=${showMore}>Show ${pageSize} more</button>`
}

/**
 * A screen with the rows of a list of the state.
 * @param head what stands above them; `newest`, in the button that shows new ones; `above`, before both; `empty`, where
 * there is no row.
 */
export function listScreen(name, { title, head, row, empty, reload, newest = nothing, above = nothing }) {
  const list = state.lists[name]
  const isEmpty = list.asked !== null && list.shown.length === 0
  return html`<section class="list" aria-labelledby="${name}-title">
    <h1 id="${name}-title">${title}</h1>
    ${above} ${listHead(list, head, reload, newest)}
    <ul class="rows">
      ${repeat(list.shown, (each) => each[list.key], row)}
    </ul>
    ${isEmpty ? html`<p class="empty">${empty}</p>` : nothing}
    ${moreButton(list, reload)}
  </section>`
}

const details = ({ kind, delayMs, delay, status, probability, count, match }) =>
  [
    kind === 'delay' ? (delay ? `${delay.min} to ${delay.max} ms` : `${delayMs} ms`) : '',
    kind === 'status' ? status : '',
    probability < 1 ? `${Math.round(probability * 100)} %` : '',
    count === null || count === undefined ? '' : `${count} to go`,
    ...Object.entries(match ?? {}).map(([name, value]) => `${name} ${value}`),
  ]
    .filter((part) => part !== '')
    .join(', ')

/** Everything that makes the services behave otherwise, on every screen, each with its end. */
export function banner() {
  const { overview } = state
  if (overview === null) return nothing
  const faults = overview.faults.map((fault) => ({
    text: [`${fault.service}: ${fault.kind}`, details(fault)].filter(Boolean).join(', '),
    path: `faults/${fault.id}`,
  }))
  const { unusual } = overview
  if (unusual.probability > 0 || unusual.lagMs > 0)
    faults.push({
      text: `payment: unusual answers ${Math.round(unusual.probability * 100)} %, inquiry lags ${unusual.lagMs} ms`,
      path: 'unusual/payment',
    })
  if (faults.length === 0) return nothing
  return html`<ul class="banner" aria-label="Active faults">
    ${repeat(
      faults,
      ({ path }) => path,
      ({ text, path }) =>
        html`<li>
          <span><strong>Fault</strong> ${text}</span>
          ${actionButton({
            lock: path,
            label: `End ${text.split(',')[0]}`,
            run: () => call('DELETE', path).then(() => `Ended: ${text}`),
          })}
        </li>`,
    )}
  </ul>`
}
