// The testers' page. Everything on it comes from /control and is written as text, never as markup.

import { clockScreen } from './clock.js'
import { call, onPressed, say } from './control.js'
import { faultsScreen } from './faults.js'
import { html, live, nothing, render } from './lit.js'
import { orderDetail, ordersList } from './orders.js'
import { banner } from './parts.js'
import { requestsList } from './requests.js'
import { onUpdate, state, takeRows, update, wantedOf } from './store.js'
import { textsList } from './texts.js'

const $ = (id) => document.getElementById(id)

/** Live events come sooner; this finds what has none, such as the end of a fault. */
const pollMs = 5_000
/** Between two loads that follow events. */
const restMs = 300

const screens = {
  orders: { title: 'Orders', isSearched: true },
  order: { title: 'Orders', isSearched: true },
  messages: { title: 'Messages', isSearched: true },
  requests: { title: 'Requests', isSearched: true },
  faults: { title: 'Faults', isSearched: false },
  world: { title: 'Clock', isSearched: false },
}

// ---- Loading

const withQuery = (path, fields) =>
  `${path}?${new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))}`

const loadList = (name) => async () => {
  const list = state.lists[name]
  const { query } = state
  const answer = await call('GET', withQuery(name, { q: query, limit: wantedOf(list) }))
  if (query === state.query) takeRows(list, answer[name], answer.total, query)
}
const loadOrders = loadList('orders')

/** The journal names no total: it is known to hold at least what it answers. */
async function loadRequests() {
  const list = state.lists.requests
  const { query, service } = state
  const ref = query.trim().replace(/^0(?=5\d{8}$)/, '+966')
  const { entries } = await call('GET', withQuery('journal', { ref, service, limit: wantedOf(list) }))
  if (query === state.query && service === state.service)
    takeRows(list, entries, entries.length, `${query} ${service}`)
}

async function loadOrder() {
  const { ref } = state.screen
  const order = await call('GET', `orders/${encodeURIComponent(ref)}`).catch((error) => {
    if (error instanceof TypeError) throw error
    return 'missing'
  })
  if (state.screen.ref === ref) state.order = order
}

const loads = {
  orders: [loadOrders],
  order: [loadOrders, loadOrder],
  messages: [loadList('texts')],
  requests: [loadRequests],
  faults: [],
  world: [],
}

async function loadWorld() {
  state.overview = await call('GET', 'overview')
}

/** Loads what the screen shows, and draws it. */
async function load() {
  try {
    await Promise.all([loadWorld, ...loads[state.screen.name]].map((each) => each()))
    state.isOffline = false
  } catch (error) {
    // The browser's own: there was no answer.
    state.isOffline = error instanceof TypeError
    if (!state.isOffline) say(error.message, true)
  }
  update()
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

onPressed(load)

// ---- Screens

function readAddress() {
  const [, name = 'orders', ref] = /^#\/(\w+)(?:\/([^?]+))?/.exec(location.hash) ?? []
  const next = Object.hasOwn(screens, name) ? name : 'orders'
  state.screen = { name: next, ref: ref === undefined ? null : decodeURIComponent(ref) }
  state.query = new URLSearchParams(location.hash.split('?')[1] ?? '').get('q') ?? state.query
  if (state.screen.name === 'order' && state.order?.order !== state.screen.ref) state.order = null
  document.title = `TEST · ${state.screen.ref ?? screens[next].title} · Mock partner`
}

function search(event) {
  state.query = event.target.value
  const { name, ref } = state.screen
  const place = `#/${name}${ref === null ? '' : `/${encodeURIComponent(ref)}`}`
  const query = state.query.trim()
  history.replaceState(null, '', query === '' ? place : `${place}?q=${encodeURIComponent(query)}`)
  return load()
}

const tabs = ['orders', 'messages', 'requests', 'faults', 'world']

function top() {
  const { name } = state.screen
  return html`<div class="bar">
      <nav aria-label="Screens">
        ${tabs.map(
          (tab) =>
            html`<a href="#/${tab}" aria-current=${screens[tab].title === screens[name].title ? 'page' : nothing}
              >${screens[tab].title}</a
            >`,
        )}
      </nav>
      ${
        screens[name].isSearched
          ? html`<input
              id="search"
              type="search"
              aria-label="Search by order number, phone, reference, airway bill"
              placeholder="Order, phone, reference, airway bill"
              .value=${live(state.query)}
              @input=${search}
            />`
          : nothing
      }
    </div>
    ${state.isOffline ? html`<p class="offline" role="alert">The simulator does not answer.</p>` : nothing}
    ${banner()}`
}

function main() {
  switch (state.screen.name) {
    case 'messages':
      return textsList(load)
    case 'requests':
      return requestsList(load)
    case 'faults':
      return faultsScreen()
    case 'world':
      return clockScreen()
    default: {
      const isOpen = state.screen.name === 'order'
      return html`<div class=${isOpen ? 'both open' : 'both'}>
        ${ordersList(load)}${isOpen ? orderDetail() : nothing}
      </div>`
    }
  }
}

onUpdate(() => {
  render(top(), $('top'))
  render(main(), $('main'))
})

// ---- Keyboard

const isTyping = (element) => element.matches('input, select, textarea')

function moveRow(by) {
  const rows = [...document.querySelectorAll('[data-row]')]
  const at = rows.indexOf(document.activeElement)
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

function goBack() {
  if (state.screen.name === 'order') location.hash = '#/orders'
}

/** Going back to the list leads to the row of the order that was open. */
let leftOrder = null

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
  const { key, target } = event
  const isSearch = target.id === 'search'
  if (key === '/' && !isTyping(target)) {
    event.preventDefault()
    $('search')?.focus()
  } else if ((key === 'ArrowDown' || key === 'ArrowUp') && (isSearch || !isTyping(target))) {
    event.preventDefault()
    moveRow(key === 'ArrowDown' ? 1 : -1)
  } else if (key === 'Enter' && isSearch) {
    document.querySelector('[data-row]')?.click()
  } else if (key === 'Escape') {
    if (isSearch && state.query !== '') {
      target.value = ''
      target.dispatchEvent(new Event('input'))
    } else if (isTyping(target)) target.blur()
    else goBack()
  }
})

window.addEventListener('hashchange', async () => {
  readAddress()
  update()
  await load()
  if (state.screen.name === 'order') $('order-title')?.focus()
  if (state.screen.name === 'orders' && leftOrder !== null)
    document.querySelector(`[data-row][href$="/${CSS.escape(leftOrder)}"]`)?.focus()
  leftOrder = state.screen.ref
})

// ---- News

const events = new EventSource('/control/events')
for (const name of ['open', 'entry', 'reset']) events.addEventListener(name, loadSoon)
setInterval(() => {
  if (!document.hidden) void loadSoon()
}, pollMs)

readAddress()
leftOrder = state.screen.ref
await load()
