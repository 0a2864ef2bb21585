import { copy } from './control.js'
import { html, nothing } from './lit.js'
import { badge, counted, listScreen, timeOf } from './parts.js'
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

/** Every SMS and e-mail: one-time codes, messages about bags and letters. */
export function textsList(reload) {
  const { newest, total } = state.lists.texts
  return listScreen('texts', {
    title: 'Messages',
    head: counted(total, 'message'),
    // A tester waits for a code: it is in the button, without moving the list.
    newest: newest?.code ? html`· code <strong>${newest.code}</strong> for ${newest.phone}` : nothing,
    row,
    empty: 'No messages. Ask for a code on the sign-in page.',
    reload,
  })
}
