// The testers' page. Everything on it comes from /control and is written as text, never as markup.

const $ = (id) => document.getElementById(id)
const pollMs = 1_000
const outcomes = ['success', 'decline', 'cancel', 'refund', 'void']

/** An element with text, attributes and children. */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') element.addEventListener('click', value)
    else if (value !== undefined) element.setAttribute(name, value)
  }
  element.append(...children.filter((child) => child !== null && child !== undefined))
  return element
}

const clockTime = (iso) => new Date(iso).toLocaleTimeString('en-GB')
const money = (halalas, currency) => `${currency} ${(halalas / 100).toFixed(2)}`

function say(message, isBad = false) {
  $('toast').textContent = message
  $('toast').classList.toggle('bad', isBad)
}

async function call(method, path, body) {
  const answer = await fetch(`/control/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const json = await answer.json()
  if (!answer.ok) throw new Error(json.message)
  return json
}

/** Runs a command and shows its result. */
async function act(label, wish) {
  try {
    say(`${label}…`)
    say((await wish()) ?? `${label}: done`)
  } catch (error) {
    say(`${label}: ${error.message}`, true)
  }
  await refresh()
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    say(`Copied ${text}`)
  } catch {
    say(`Copying is not allowed here. The text is ${text}`, true)
  }
}

// ---- List items

const stateKinds = {
  paid: 'good',
  delivered: 'good',
  open: 'wait',
  pending: 'wait',
  waiting: 'wait',
  refunded: 'bad',
  voided: 'bad',
  expired: 'bad',
  'given-up': 'bad',
  lost: 'bad',
}
const badge = (state) => h('span', { class: `state ${stateKinds[state] ?? ''}` }, state)

const messageItem = (message) =>
  h(
    'li',
    {},
    h(
      'div',
      { class: 'row' },
      h('span', { class: 'code' }, message.code),
      h(
        'button',
        { type: 'button', onclick: () => copy(message.code), 'aria-label': `Copy ${message.code}` },
        'Copy',
      ),
    ),
    h('p', { class: 'small mono' }, message.phone),
    h('p', { class: 'small' }, `${message.service} · ${clockTime(message.sentAt)}`),
    h('p', { class: 'small', dir: 'auto' }, message.text),
  )

const smsItem = (sms) =>
  h(
    'li',
    {},
    h('p', { class: 'small', dir: 'auto' }, sms.text),
    h('p', { class: 'small mono' }, sms.phone),
    h(
      'p',
      { class: 'small' },
      badge(sms.status),
      ` ${sms.errorCode ?? ''} · ${clockTime(sms.sentAt)} · ${sms.callbacks.length} status callbacks`,
    ),
  )

function callbackLine(callback) {
  const answer = callback.error ?? (callback.status === null ? 'no answer yet' : `HTTP ${callback.status}`)
  const tries = callback.attempts.length > 1 ? ` after ${callback.attempts.length} attempts` : ''
  const next = callback.nextAttemptAt === null ? '' : `, next ${clockTime(callback.nextAttemptAt)}`
  return h(
    'p',
    { class: 'small' },
    badge(callback.state),
    ` callback ${callback.type} ${callback.transactionId} (${callback.mode}): ${answer}${tries}${next}`,
  )
}

function transactionLine(transaction, currency) {
  const marks = [
    transaction.pending ? 'pending' : transaction.success ? 'success' : 'failed',
    transaction.isVoided ? 'voided' : '',
    transaction.refundedAmount > 0 ? `refunded ${money(transaction.refundedAmount, currency)}` : '',
  ].filter((mark) => mark !== '')
  return h(
    'p',
    { class: 'small' },
    `${transaction.kind} ${transaction.id}: ${money(transaction.amount, currency)}, ${marks.join(', ')} · ${transaction.message} · ${transaction.card} · ${clockTime(transaction.createdAt)}`,
  )
}

async function replay(payment, outcome) {
  const delay = $('delay').value
  const body = {
    outcome,
    callback: $('callback').value,
    ...(delay === '' ? {} : { delayMs: Number(delay) }),
  }
  const { callbacks } = await call('POST', `payments/${encodeURIComponent(payment.id)}/replay`, body)
  const answers = callbacks.map(({ state, status, error }) => error ?? status ?? state)
  return `${outcome}: ${answers.length === 0 ? 'no callback' : `callbacks ${answers.join(', ')}`}`
}

const paymentItem = (payment) =>
  h(
    'li',
    {},
    h(
      'div',
      { class: 'row' },
      h('strong', {}, payment.orderNumber === null ? 'Payment' : `Order ${payment.orderNumber}`),
      h('span', {}, money(payment.amount, payment.currency)),
      badge(payment.status),
    ),
    h('p', { class: 'small mono' }, `${payment.reference ?? 'no reference'} · ${payment.id}`),
    ...payment.transactions.map((transaction) => transactionLine(transaction, payment.currency)),
    ...payment.callbacks.map(callbackLine),
    h(
      'div',
      { class: 'actions' },
      ...outcomes.map((outcome) =>
        h('button', { type: 'button', onclick: () => act(outcome, () => replay(payment, outcome)) }, outcome),
      ),
    ),
  )

const steps = ['picked-up', 'in-transit', 'at-branch', 'collected', 'exception']

async function advance(shipment, to) {
  const { scans, pushes } = await call('POST', `shipments/${encodeURIComponent(shipment.awb)}/advance`, {
    to,
    push: $('push').value,
  })
  const answers = pushes.map(({ state, status, error }) => error ?? status ?? state)
  return `${scans.map(({ ScanType }) => ScanType).join(', ')}: push ${answers.join(', ')}`
}

const scanLine = (scan) =>
  h(
    'p',
    { class: 'small' },
    `${scan.ScanType} · ${scan.City ?? 'no city'} · ${scan.ScanDateTime} · ${scan.ScanDescription ?? ''}`,
  )

const shipmentItem = (shipment) =>
  h(
    'li',
    {},
    h(
      'div',
      { class: 'row' },
      h('strong', { class: 'mono' }, shipment.awb),
      h(
        'a',
        { href: `/control/shipments/${encodeURIComponent(shipment.awb)}/label`, target: '_blank' },
        'Label',
      ),
    ),
    h('p', { class: 'small mono' }, shipment.reference),
    h('p', { class: 'small' }, `created ${shipment.createdAt.map(clockTime).join(', ')}`),
    shipment.createdAt.length > 1
      ? h('span', { class: 'state bad' }, `created ${shipment.createdAt.length} times under this reference`)
      : null,
    ...shipment.scans.map(scanLine),
    h(
      'div',
      { class: 'actions' },
      ...steps.map((step) =>
        h('button', { type: 'button', onclick: () => act(step, () => advance(shipment, step)) }, step),
      ),
    ),
  )

function faultItem([service, fault]) {
  const detail = { delay: `${fault.delayMs} ms`, status: String(fault.status) }[fault.kind]
  const parts = [
    `${service}: ${fault.kind}`,
    detail,
    fault.probability < 1 ? `${Math.round(fault.probability * 100)} %` : undefined,
    fault.count === null ? undefined : `${fault.count} to go`,
  ]
  return h('li', {}, parts.filter((part) => part !== undefined).join(' · '))
}

const counterItem = ([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, String(value)))

// ---- Polling

const shown = new Map()

/** Redraws a list only when it changed: polling then keeps focus and selection. */
function draw(id, things, item, empty) {
  const text = JSON.stringify(things)
  if (shown.get(id) === text) return
  shown.set(id, text)
  $(id).replaceChildren(...(things.length > 0 ? things.map(item) : [h('li', { class: 'empty' }, empty)]))
}

let isOffline = false

async function refresh() {
  let world
  try {
    world = await call('GET', 'overview')
  } catch {
    isOffline = true
    say('The simulator does not answer.', true)
    return
  }
  if (isOffline) say('The simulator is back.')
  isOffline = false
  $('now').textContent = new Date(world.now).toLocaleString('en-GB')
  $('now').dateTime = world.now
  const { counters } = world
  $('inbox-count').textContent = `${counters.sends} sent`
  $('sms-count').textContent = `${counters.messages} sent`
  $('payments-count').textContent = `${counters.intentions} intentions`
  $('shipments-count').textContent = `${counters.shipments} created`
  draw('inbox', world.messages, messageItem, 'No codes yet. Ask for one on the sign-in page.')
  draw('sms', world.sms, smsItem, 'No messages yet. Pay for an order.')
  draw('payments', world.payments, paymentItem, 'No payments yet. Check out an order.')
  draw('shipments', world.shipments, shipmentItem, 'No shipments yet. Pay for an order.')
  draw('faults', Object.entries(world.faults), faultItem, 'Everything works.')
  $('pace-now').textContent =
    world.minutesPerDay === 0 ? 'on demand only' : `a day in ${world.minutesPerDay} min`
  draw('counters', Object.entries(counters), counterItem, '')
}

for (const button of document.querySelectorAll('[data-advance]'))
  button.addEventListener('click', () =>
    act('clock', async () => {
      await call('POST', 'clock', { advanceMs: Number(button.dataset.advance) })
    }),
  )
$('reset').addEventListener('click', () => {
  if (window.confirm('Delete every code, payment and shipment of this simulator?'))
    void act('reset', async () => {
      await call('POST', 'reset')
    })
})
$('clear-faults').addEventListener('click', () =>
  act('faults', async () => {
    await call('DELETE', 'faults')
    return 'All faults cleared'
  }),
)
$('set-pace').addEventListener('click', () =>
  act('journey', async () => {
    await call('PUT', 'journey', { minutesPerDay: Number($('pace').value) })
  }),
)
$('fault-form').addEventListener('submit', (event) => {
  event.preventDefault()
  const fields = Object.fromEntries(new FormData(event.target))
  const body = { kind: fields.kind }
  for (const name of ['probability', 'count', 'delayMs', 'status'])
    if (fields[name] !== '') body[name] = Number(fields[name])
  void act('fault', async () => {
    await call('PUT', `faults/${fields.service}`, body)
    return `${fields.service}: ${fields.kind} set`
  })
})

async function poll() {
  if (!document.hidden) await refresh()
  setTimeout(poll, pollMs)
}
await poll()
