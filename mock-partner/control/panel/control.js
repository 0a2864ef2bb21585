import { html, nothing } from './lit.js'

/** The state of the page. Screens read it, and `update` draws it. */
export const state = {
  screen: 'orders',
  /** The chosen order. */
  ref: null,
  query: '',
  group: '',
  service: '',
  /** The part of the chosen order's story that is shown. */
  part: 'messages',
  limit: 50,
  /** Answers of the control API; null before they are there. */
  overview: null,
  list: null,
  order: null,
  isOffline: false,
  /** Name of the running press. */
  busy: null,
}

const page = { draw: () => {}, load: async () => {} }

/** @param parts `draw` shows the state, `load` reads it anew. */
export function openPage(parts) {
  Object.assign(page, parts)
}

export const update = () => page.draw()

/** Changes what is shown, and loads it. */
export function show(changes) {
  Object.assign(state, changes)
  update()
  return page.load()
}

const $ = (id) => document.getElementById(id)

/** The last call that changed something, for a terminal. */
let lastCall = ''

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** A call of the control API. @throws with the message of a refusal. */
export async function call(method, path, content) {
  const url = `/control/${path}`
  const body = content && JSON.stringify(content)
  const headers = body ? { 'content-type': 'application/json' } : {}
  if (method !== 'GET') {
    const data = body ? ` -H 'content-type: application/json' -d ${quoted(body)}` : ''
    lastCall = `curl -X ${method} ${quoted(location.origin + url)}${data}`
  }
  const answer = await fetch(url, { method, headers, body })
  const read = await answer.json()
  if (!answer.ok) throw new Error(read.message ?? `${answer.status}`)
  return read
}

/** The result of a press, in sight on every screen. */
export function say(message, isBad = false) {
  $('result').textContent = message
  $('result').classList.toggle('bad', isBad)
  $('copy-call').hidden = lastCall === ''
}

/** One press is one action: until it has ended and the page shows its effect, further presses do nothing. */
export async function press({ label, name = label, question = null, run }) {
  if (state.busy !== null || (question !== null && !window.confirm(question))) return
  state.busy = name
  update()
  say(`${name}…`)
  let result
  try {
    result = [await run()]
  } catch (error) {
    result = [`${name}: ${error.message}`, true]
  }
  await page.load()
  say(...result)
  state.busy = null
  update()
  // The button is gone, as after the end of a fault: the next press of a key finds no other one.
  if (document.activeElement === document.body) $('main').focus({ preventScroll: true })
}

export async function copy(text, what = text) {
  await navigator.clipboard.writeText(text).then(
    () => say(`Copied: ${what}`),
    () => say(`Copying is not allowed here: ${text}`, true),
  )
}

$('copy-call').addEventListener('click', () => copy(lastCall, 'the call as curl'))

/** @param action `name` tells it from others with the same label; `question` is asked first. */
export const button = (action, kind = '') => html`<button
  type="button"
  class=${kind}
  aria-label=${action.name ?? nothing}
  aria-disabled=${state.busy === null ? nothing : 'true'}
  aria-busy=${state.busy === (action.name ?? action.label) ? 'true' : nothing}
  @click=${() => press(action)}
>
  ${action.label}
</button>`

export const badge = ({ text, tone }) => html`<span class="badge ${tone}">${text}</span>`

/** `26 May, 10:00:02` in Riyadh. */
export const timeOf = (iso) =>
  html`<time datetime=${iso}
    >${new Date(iso).toLocaleString('en-GB', {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZone: 'Asia/Riyadh',
    })}</time
  >`

export const option = (value, text, chosen) =>
  html`<option value=${value} ?selected=${value === chosen}>${text}</option>`

/** @param choices values and their texts; one is chosen. */
export const segments = (
  label,
  choices,
  chosen,
  choose,
) => html`<div class="seg" role="group" aria-label=${label}>
  ${choices.map(
    ([value, text]) =>
      html`<button type="button" aria-pressed=${value === chosen} @click=${() => choose(value)}>${text}</button>`,
  )}
</div>`

/** @param rows null before they are there. */
export function table({ heads, rows, row, empty }) {
  if (rows === null) return nothing
  if (rows.length === 0) return html`<p class="mut">${empty}</p>`
  const more = html`<button type="button" @click=${() => show({ limit: state.limit + 50 })}>Show 50 more</button>`
  return html`<table>
      <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${row(rows)}</tbody>
    </table>
    ${rows.length < state.limit ? nothing : more}`
}
