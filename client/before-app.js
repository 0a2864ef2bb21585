/*
 * The first script of every document (scripts/lib/html.mjs puts it there): what has to work before the app runs.
 */

// Of pages that can be read and used without the app: it comes when the page has been drawn, so that neither its bytes nor
// its start compete with text and fonts.
const app = document.querySelector('template[data-app]')
if (app !== null) {
  const start = () => document.head.append(app.content)
  // No frame is drawn in a tab that is not shown.
  if (document.visibilityState === 'hidden') start()
  else requestAnimationFrame(() => setTimeout(start))
}

// Of a page that waits for the app its letters do: main.tsx lets them come when it runs. Not on a line that has brought this
// script sooner than letters are missed.
if (performance.now() < 700) document.querySelector('[data-fonts]')?.removeAttribute('media')

// A served page is that of a visitor. For a person whose data this browser keeps, what is for visitors alone is hidden
// (base.css), and links lead where they lead users. Reads the same keys as readKeptRole in session/session.ts.
let keptRole
try {
  keptRole = localStorage.getItem('keptOrders')
    ? 'user'
    : localStorage.getItem('scanAgent')
      ? 'agent'
      : undefined
} catch {
  // The storage is blocked.
}
if (keptRole !== undefined) document.documentElement.dataset.keptRole = keptRole
if (keptRole === 'user')
  for (const link of document.querySelectorAll('a[data-user-href]')) link.href = link.dataset.userHref

// The sign-in form, sent before the app runs: the press is held, and the app carries it out (sign-in-form.tsx). The app
// prevents the default of the forms that it has taken over.
document.addEventListener('submit', (event) => {
  if (!event.defaultPrevented && event.target.matches('form[method="dialog"]'))
    event.target.dataset.pressed = ''
})

// The form for the other language, which the server answers until the app does, replaces the query: the rest of it stays.
// Addresses of sign-in, payment and its result mean nothing without theirs.
document.addEventListener('formdata', ({ target, formData }) => {
  if (!target.matches('[data-language]')) return
  for (const [name, value] of new URLSearchParams(location.search))
    if (!formData.has(name)) formData.append(name, value)
})

// What the app asks first goes out beside its files: who is signed in, and then, of a user, what the page shows. The app takes
// the answers (platform/first-answers.ts), unless it has come before this script and has asked already.
const [ofUser, ofAgent, ofPage] = document.querySelector('meta[name="first-calls"]')?.content.split(' ') ?? []
if (ofUser !== undefined && window.firstAnswers === undefined) {
  const answers = new Map()
  window.firstAnswers = answers
  // Another tab has signed in or out, or changed what is kept here.
  const forget = () => {
    window.firstAnswers = new Map()
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
    .then(({ success }) => {
      if (!success || ofPage === undefined || id === undefined || window.firstAnswers !== answers) return
      const href = ofPage.replace(':id', id)
      if (!answers.has(href)) void begin(href)
    })
    .catch(() => undefined)
}
