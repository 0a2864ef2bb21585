import { copy } from './control.js'
import { html, nothing, repeat } from './lit.js'
import { badge, counted, listHead, moreButton, timeOf } from './parts.js'
import { state } from './store.js'

const row = ({ phone, text, code, state: sent, isFailed, at }) => html`<li>
  <div class="text">
    <span class="line">
      ${code === null ? nothing : html`<strong class="code">${code}</strong>`}
      <span class="mono">${phone}</span>
      ${badge({ text: sent, tone: isFailed ? 'bad' : 'plain' })}
      <time datetime=${at}>${timeOf(at)}</time>
    </span>
    <span class="small" dir="auto">${text}</span>
    <button type="button" data-row @click=${() => copy(code ?? text)}>Copy ${code ?? 'text'}</button>
  </div>
</li>`

/** Every SMS: one-time codes and messages about bags. */
export function textsList(reload) {
  const list = state.lists.texts
  const { newest } = list
  // A tester waits for a code: it is in the button, without moving the list.
  const preview = newest?.code ? html`· code <strong>${newest.code}</strong> for ${newest.phone}` : nothing
  return html`<section class="list" aria-labelledby="texts-title">
    <h1 id="texts-title">Messages</h1>
    ${listHead(list, counted(list.total, 'message'), reload, preview)}
    <ul class="rows">
      ${repeat(list.shown, ({ key }) => key, row)}
    </ul>
    ${list.asked !== null && list.shown.length === 0 ? html`<p class="empty">No messages. Ask for a code on the sign-in page.</p>` : nothing}
    ${moreButton(list, reload)}
  </section>`
}
