import { state, update } from './store.js'

const $ = (id) => document.getElementById(id)

/** The last call that changed something, for a terminal. */
let lastCall = ''

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

const curlOf = (method, url, body) =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' ')

/** A call of the control API. @throws with the message of a refusal. */
export async function call(method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  if (method !== 'GET') lastCall = curlOf(method, `${location.origin}/control/${path}`, text)
  const answer = await fetch(`/control/${path}`, {
    method,
    ...(text === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: text }),
  })
  const isJson = answer.headers.get('content-type')?.includes('json')
  const content = isJson ? await answer.json() : await answer.text()
  if (!answer.ok) throw new Error(content.message ?? `${answer.status}`)
  return content
}

/** The result of a press, in sight on every screen. */
export function say(message, isBad = false) {
  $('result').textContent = message
  $('result').classList.toggle('bad', isBad)
  $('copy-call').hidden = lastCall === ''
}

function confirmed(question, label) {
  const dialog = $('question')
  $('question-text').textContent = question
  $('question-yes').textContent = label
  dialog.returnValue = 'no'
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true })
  })
}

let reload = async () => {}

/** @param callback loads what the page shows; a press ends after it. */
export function onPressed(callback) {
  reload = callback
}

/**
 * One press is one action: until it has ended and the page shows its effect, further presses under the same lock do
 * nothing.
 * @param refusal why it cannot act; null when it can.
 */
export async function press({ lock, label, refusal = null, question = null, run }) {
  if (state.busy.has(lock)) return
  if (refusal !== null) {
    say(`${label}: ${refusal}`, true)
    return
  }
  state.busy.add(lock)
  update()
  try {
    if (question !== null && !(await confirmed(question, label))) return
    say(`${label}…`)
    const result = await run()
    await reload()
    say(result ?? `${label}: done`)
  } catch (error) {
    await reload()
    say(`${label}: ${error.message}`, true)
  } finally {
    state.busy.delete(lock)
    update()
    // Where the button is gone, as after the end of a fault, the next press of a key finds no other one.
    queueMicrotask(() => {
      if (document.activeElement === document.body) $('main').focus({ preventScroll: true })
    })
  }
}

export async function copy(text, what = text) {
  try {
    await navigator.clipboard.writeText(text)
    say(`Copied: ${what}`)
  } catch {
    $('text-content').value = text
    $('text').showModal()
    $('text-content').select()
  }
}

$('copy-call').addEventListener('click', () => copy(lastCall, 'the call as curl'))
