/*
 * The first script of every document (scripts/lib/html.mjs puts it there): what has to work before the app runs.
 */

// Delay the web fonts of a page that waits for the app until main.tsx runs, unless the line is fast.
if (performance.now() < 700) document.querySelector('[data-fonts]')?.removeAttribute('media')

const servedPage = () => document.getElementById('served')

// A page that works without the app holds the app's files in a template. They are loaded when a link is pointed at or
// touched; the app starts (main.tsx) for a person who is signed in, and for a press that only the app can carry out.
const files = document.querySelector('template[data-app]')
const loadApp = () => document.head.append(files.content)
const startApp = () => {
  const served = servedPage()
  if (served === null) return
  served.dataset.wanted = ''
  served.dispatchEvent(new Event('wanted'))
  loadApp()
}
if (files !== null && document.documentElement.dataset.role !== undefined) {
  // No frame is drawn in a tab that is not shown.
  if (document.visibilityState === 'hidden') startApp()
  else requestAnimationFrame(() => setTimeout(startApp))
}
const onIntent = ({ target }) => {
  if (target.closest?.('#served a[href^="/"]')) loadApp()
}
if (files !== null && !navigator.connection?.saveData)
  for (const intent of ['pointerover', 'touchstart', 'focusin'])
    document.addEventListener(intent, onIntent, { passive: true })

// The menu of the account opens and closes.
const menuToggle = () => servedPage()?.querySelector('button[aria-expanded]') ?? null
const closeMenu = () => menuToggle()?.setAttribute('aria-expanded', 'false')
const isMenuOpen = () => menuToggle()?.getAttribute('aria-expanded') === 'true'
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !isMenuOpen()) return
  closeMenu()
  menuToggle().focus()
})
document.addEventListener('pointerdown', ({ target }) => {
  if (isMenuOpen() && !menuToggle().parentElement.contains(target)) closeMenu()
})

// Other buttons wait for the app, which carries out the last press (app/served-page.tsx). The second press of a link goes
// where it leads.
const hold = (pressed) => {
  for (const before of servedPage().querySelectorAll('[data-pressed]')) delete before.dataset.pressed
  pressed.dataset.pressed = ''
  if (files !== null) startApp()
}
document.addEventListener('click', (event) => {
  const pressed = event.target.closest('#served :is(button[type="button"], [data-needs-app])')
  if (pressed === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (pressed === menuToggle()) return pressed.setAttribute('aria-expanded', String(!isMenuOpen()))
  if (pressed.dataset.pressed !== undefined) return
  event.preventDefault()
  hold(pressed)
})
document.addEventListener('submit', ({ target }) => {
  if (target.matches('#served form[method="dialog"]')) hold(target)
})

// The form for the other language, which the server answers until the app does, replaces the query: the rest of it stays.
// Addresses of sign-in, payment and its result mean nothing without theirs.
document.addEventListener('formdata', ({ target, formData }) => {
  if (!target.matches('[data-language]')) return
  for (const [name, value] of new URLSearchParams(location.search))
    if (!formData.has(name)) formData.append(name, value)
})

// The first calls of the app start while its files load: the session, and then, for a user, the data of the page. The app takes
// the answers (platform/first-answers.ts), unless it has come before this script and has asked already.
const [ofUser, ofAgent, ofPage] = document.querySelector('meta[name="first-calls"]')?.content.split(' ') ?? []
if (ofUser !== undefined && window.firstAnswers === undefined) {
  const answers = new Map()
  window.firstAnswers = answers
  // Another tab has signed in or out, or changed the stored data.
  const forget = () => {
    window.firstAnswers = new Map()
    window.firstCode = undefined
  }
  addEventListener('storage', forget, { once: true })
  const begin = (href) => {
    const stop = new AbortController()
    const answer = fetch(href, {
      credentials: 'include',
      headers: { accept: 'application/json', 'accept-language': document.documentElement.lang },
      signal: stop.signal,
    })
    answer.catch(() => undefined)
    answers.set(href, { answer, stop, at: Date.now() })
    return answer
  }
  const id = location.pathname.match(/\/([1-9]\d{0,14})\/*$/)?.[1]
  void begin(ofAgent)
  begin(ofUser)
    .then((answer) => answer.clone().json())
    .then(async ({ success }) => {
      if (!success || ofPage === undefined || id === undefined || window.firstAnswers !== answers) return
      const href = ofPage.replace(':id', id)
      if (answers.has(href)) return
      const answer = await begin(href)
      const order = answer.ok ? await answer.clone().json() : undefined
      if (order !== undefined && window.firstAnswers === answers) window.showFirstOrder?.(order)
    })
    .catch(() => undefined)
}
