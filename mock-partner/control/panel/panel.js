// The testers' page. Everything on it comes from /control and is written as text, never as markup.

import { button, call, openPage, say, show, state, timeOf } from './control.js'
import { activeFaults, faultsScreen } from './faults.js'
import { messagesScreen, requestsScreen } from './lists.js'
import { html, nothing, render } from './lit.js'
import { ordersScreen } from './orders.js'

const $ = (id) => document.getElementById(id)

/** Live events come sooner; some changes, such as the end of a fault, send no event. */
const pollMs = 5_000
/** Between two loads that follow events. */
const restMs = 300

const withQuery = (path, fields) =>
  `${path}?${new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))}`

const screens = {
  orders: {
    title: 'Orders',
    draw: ordersScreen,
    path: ({ query, group, limit }) => withQuery('orders', { q: query, group, limit }),
  },
  messages: {
    title: 'Messages',
    draw: messagesScreen,
    path: ({ query, limit }) => withQuery('texts', { q: query, limit }),
  },
  requests: {
    title: 'Requests',
    draw: requestsScreen,
    path: ({ query, service, limit }) =>
      withQuery('journal', { ref: query.trim().replace(/^0(?=5\d{8}$)/, '+966'), service, limit }),
  },
  faults: { title: 'Faults', draw: faultsScreen, path: () => 'faults' },
}

// ---- Loading

let loads = 0

/** Loads what the screen shows, and draws it; a later load wins. */
async function load() {
  loads += 1
  const own = loads
  const { screen, ref } = state
  const isMissing = (error) => {
    if (error instanceof TypeError) throw error
    return {}
  }
  try {
    const [overview, list, order] = await Promise.all([
      call('GET', 'overview'),
      call('GET', screens[screen].path(state)),
      ref === null ? null : call('GET', `orders/${encodeURIComponent(ref)}`).catch(isMissing),
    ])
    if (own !== loads) return
    Object.assign(state, { overview, list, order, isOffline: false })
  } catch (error) {
    // The browser's own: there was no answer.
    state.isOffline = error instanceof TypeError
    if (!state.isOffline) say(error.message, true)
  }
  draw()
}

let isLoading = false
let isStale = false

/** Events may come faster than loads end: one load is under way, and one more follows. */
async function loadSoon() {
  isStale = true
  if (isLoading) return
  isLoading = true
  while (isStale) {
    isStale = false
    await load()
    await new Promise((resolve) => setTimeout(resolve, restMs))
  }
  isLoading = false
}

// ---- Screens

function readAddress() {
  const [, name, ref] = /^#\/(\w+)(?:\/([^?]+))?/.exec(location.hash) ?? []
  state.screen = Object.hasOwn(screens, name ?? '') ? name : 'orders'
  const named = ref === undefined ? null : decodeURIComponent(ref)
  state.ref = state.screen === 'orders' ? named : null
  // Another screen is searched for it.
  if (state.screen !== 'orders' && named !== null) state.query = named
  document.title = `TEST · ${state.ref ?? screens[state.screen].title} · Simulator`
}

const clockButton = (label, advanceMs) =>
  button({
    label,
    run: () => call('POST', 'clock', { advanceMs }).then(({ sides }) => `${label}: ${sides.join(' and ')}`),
  })

function top() {
  const { screen, overview, isOffline } = state
  const count = overview === null ? 0 : activeFaults().length
  return html`<b>Simulator</b>
    <nav aria-label="Screens">
      ${Object.entries(screens).map(
        ([name, { title }]) =>
          html`<a href="#/${name}" aria-current=${name === screen ? 'page' : nothing}
            >${title}${name === 'faults' && count > 0 ? html` <span class="badge wait">${count}</span>` : nothing}</a
          >`,
      )}
    </nav>
    ${overview === null ? nothing : timeOf(overview.now)}
    ${clockButton('+1 min', 60_000)} ${clockButton('+1 h', 3_600_000)} ${clockButton('+1 day', 86_400_000)}
    ${isOffline ? html`<p class="badge bad" role="alert">The simulator does not answer.</p>` : nothing}`
}

const search = html`<input
  id="search"
  type="search"
  aria-label="Order, phone, name, reference or airway bill"
  placeholder="Order, phone, name, reference or airway bill"
  @input=${({ target }) => show({ query: target.value })}
/>`

function draw() {
  const { title, draw: screen } = screens[state.screen]
  render(top(), $('top'))
  render(
    html`<div class="head"><h1>${title}</h1>${state.screen === 'faults' ? nothing : search}</div>
      ${screen()}`,
    $('main'),
  )
  if ($('search') !== null && document.activeElement !== $('search')) $('search').value = state.query
}

openPage({ draw, load })

window.addEventListener('hashchange', async () => {
  const { screen } = state
  const query = location.hash.startsWith(`#/${screen}`) ? state.query : ''
  Object.assign(state, { order: null, query })
  readAddress()
  if (screen !== state.screen) Object.assign(state, { list: null, limit: 50 })
  await show({})
  if (state.ref !== null) $('order-title')?.focus()
})

// ---- Live

const events = new EventSource('/control/events')
for (const name of ['open', 'entry', 'reset']) events.addEventListener(name, loadSoon)
setInterval(() => {
  if (!document.hidden) void loadSoon()
}, pollMs)

readAddress()
await load()
