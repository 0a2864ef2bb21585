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

// The form for the other language, which the server answers until the app does, replaces the query: the rest of it stays.
// Addresses of sign-in, payment and its result mean nothing without theirs.
document.addEventListener('formdata', ({ target, formData }) => {
  if (!target.matches('[data-language]')) return
  for (const [name, value] of new URLSearchParams(location.search))
    if (!formData.has(name)) formData.append(name, value)
})

// What the app asks first goes out beside its files: who is signed in, and of a user what the page shows. The app takes the
// answers (platform/first-answers.ts).
const [ofUser, ofAgent, ofPage] = document.querySelector('meta[name="first-calls"]')?.content.split(' ') ?? []
if (ofUser !== undefined) {
  window.firstAnswers = new Map()
  const begin = (href, before = Promise.resolve()) => {
    const answer = before.then(() =>
      fetch(href, {
        credentials: 'include',
        headers: { accept: 'application/json', 'accept-language': document.documentElement.lang },
      }),
    )
    answer.catch(() => undefined)
    window.firstAnswers.set(href, { answer, at: performance.now() })
    return answer
  }
  const isUser = begin(ofUser)
    .then((answer) => answer.clone().json())
    .then(({ success }) => success || Promise.reject(new Error('not a user')))
  begin(ofAgent)
  const [id] = location.pathname.match(/\d+/) ?? []
  if (ofPage !== undefined && id !== undefined) begin(ofPage.replace(':id', id), isUser)
  isUser.catch(() => undefined)
}
