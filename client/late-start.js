/*
 * The script of served pages that can be read and used without one. The app comes when the page has been drawn, so that
 * neither its bytes nor its start compete with text and fonts (scripts/lib/html.mjs puts it into the template).
 */

const start = () => document.head.append(document.querySelector('template[data-app]').content)

// No frame is drawn in a tab that is not shown.
if (document.visibilityState === 'hidden') start()
else requestAnimationFrame(() => setTimeout(start))

// A form for the other language, which the server answers until the app does, replaces the query: the rest of it stays.
document.addEventListener('formdata', ({ target, formData }) => {
  if (!target.matches('.language')) return
  for (const [name, value] of new URLSearchParams(location.search))
    if (!formData.has(name)) formData.append(name, value)
})
