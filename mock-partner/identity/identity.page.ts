import { type DeskPerson, demoPassword, people } from './identity.people.ts'

export type PageLanguage = 'ar' | 'en'

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const texts = {
  ar: {
    title: 'الدخول · مزوّد هوية تجريبي',
    provider: 'مزوّد هوية تجريبي',
    simulator: 'محاكٍ للتجربة',
    who: 'من يسجّل الدخول؟',
    to: 'إلى',
    desk: 'أمتعتي، المكتب',
    password: 'كلمة المرور',
    same: 'واحدة للجميع',
    wrong: 'كلمة المرور غير صحيحة.',
    signInAs: 'الدخول باسم',
    cancel: 'عدم الدخول',
    standsIn: 'هذه الصفحة تمثّل دخول شركتك',
    inLive: 'في التشغيل الفعلي هو مزوّد الهوية الخاص بك (Entra ID أو Keycloak أو Google Workspace…)، ويحدده',
    neverSees: 'لا يرى المكتب كلمة المرور أبدًا.',
    again: 'طُلب الدخول مرة أخرى في اليوم نفسه؟ إذن سيتحرك مال، ويريد المكتب التأكد أنك أنت.',
    another: 'دخول شخص آخر يُنهي جلسة الأول.',
    takesBack: '«عدم الدخول» يعيدك، ويقول المكتب ذلك.',
    testers: 'للمختبرين',
    endAll: 'إنهاء جلسات الجميع من هنا',
    allEnded: 'انتهت جلسات الجميع.',
    outage: 'لتعطيل هذه الصفحة: العطل identity في لوحة المحاكي.',
    other: 'English',
  },
  en: {
    title: 'Sign in · Example identity provider',
    provider: 'Example identity provider',
    simulator: 'simulator, for trying out',
    who: 'Who is signing in?',
    to: 'to',
    desk: 'Amtiati, the desk',
    password: 'Password',
    same: 'the same for all',
    wrong: 'The password is wrong.',
    signInAs: 'Sign in as',
    cancel: 'Do not sign in',
    standsIn: 'This page stands in for your company’s sign-in',
    inLive: 'In live it is your own identity provider (Entra ID, Keycloak, Google Workspace…), named by',
    neverSees: 'The desk never sees a password.',
    again:
      'Asked again within the day? Then money is about to move: the desk wants to be sure that it is still you.',
    another: 'Another person than before ends the first one’s session.',
    takesBack: '“Do not sign in” takes you back, and the desk says so.',
    testers: 'For testers',
    endAll: 'Sign everyone out',
    allEnded: 'Everyone is signed out.',
    outage: 'An outage of this page: fault identity in the panel.',
    other: 'العربية',
  },
} as const

const styles = `
  *, *::before, *::after { box-sizing: border-box }
  body { margin: 0; background: #e9eceb; color: #14211e; font: 500 15px/1.6 system-ui, "Segoe UI", Tahoma, sans-serif }
  header { min-height: 52px; background: #fff; border-bottom: 1px solid #cbd3d0; display: flex; align-items: center; gap: 10px; padding: 8px 24px; font-weight: 700 }
  header a { margin-inline-start: auto }
  .tag { background: #e9eceb; border-radius: 6px; padding: 0 8px; font-size: 13px; font-weight: 700; white-space: nowrap }
  .wrap { display: grid; grid-template-columns: minmax(0, 460px) minmax(0, 330px); gap: 40px; justify-content: center; align-items: start; padding: 48px 16px }
  main { background: #fff; border: 1px solid #cbd3d0; border-radius: 12px; padding: 26px 28px }
  h1 { font-size: 22px; line-height: 1.4; margin: 0 } h2 { font-size: 15px; margin: 0 0 10px } p { margin: 0 0 12px }
  form { display: grid; gap: 14px; margin-top: 14px }
  a { color: #0b5d51 } small { display: block; color: #4b5b56; font-size: 13px } .muted { color: #4b5b56 }
  .person { display: flex; gap: 12px; align-items: center; border: 1px solid #737e79; border-radius: 10px; padding: 9px 12px; cursor: pointer; line-height: 1.45 }
  .person > span:nth-of-type(2) { flex: 1 } .person .tag, .first { background: #efe6d2 }
  .person input { position: absolute; opacity: 0 }
  .person:has(:checked) { box-shadow: 0 0 0 2px #14211e } .person:has(:focus-visible) { outline: 3px solid #f2b33d; outline-offset: 2px }
  .first { width: 28px; height: 28px; border-radius: 50%; display: inline-flex; align-items: center; justify-content: center; font-weight: 800; font-size: 12px }
  label.field { font-weight: 700; font-size: 13px }
  .field input { display: block; width: 100%; min-height: 42px; margin-top: 4px; border: 1px solid #737e79; border-radius: 8px; padding: 6px 11px; font: inherit; background: #fffdf7; color: inherit }
  button { min-height: 44px; border: 0; border-radius: 8px; font: inherit; font-weight: 700; cursor: pointer; background: none; color: #0b5d51 }
  button:focus-visible, a:focus-visible, input:focus-visible { outline: 3px solid #f2b33d; outline-offset: 2px }
  button.first-choice { background: #0b5d51; color: #fff } button.link { min-height: 0; padding: 0; justify-self: start; text-align: start; text-decoration: underline }
  .name { display: none } ${people.map(({ id }) => `form:has(#${id}:checked) .name-${id}`).join(', ')} { display: inline }
  [role=alert] { color: #b3261e; font-weight: 700; margin: 0 }
  aside { font-size: 14px } aside ul { margin: 0 0 12px; padding-inline-start: 18px } aside li { margin-bottom: 5px }
  @media (max-width: 820px) { .wrap { grid-template-columns: minmax(0, 460px); padding-top: 24px } }
`

function page(language: PageLanguage, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <style>${styles}</style>
  </head>
  <body>${content}</body>
</html>
`
}

function choiceOf(person: DeskPerson, language: PageLanguage, isFirst: boolean): string {
  const { name, does, role } = person.texts[language]
  return `<label class="person"><input type="radio" name="person" id="${person.id}" value="${person.id}"${isFirst ? ' checked' : ''} />
    <span class="first" aria-hidden="true">${name.slice(0, 1)}</span>
    <span><b>${name}</b><small>${does}</small></span><span class="tag">${role}</span></label>`
}

/** The page on which staff sign in. */
export function signInPage({
  language,
  address,
  desk,
  isWrong = false,
}: {
  readonly language: PageLanguage
  /** The address to which the forms of the page are sent. */
  readonly address: string
  /** The host of the desk. */
  readonly desk: string
  readonly isWrong?: boolean
}): string {
  const t = texts[language]
  const other = language === 'ar' ? 'en' : 'ar'
  return page(
    language,
    t.title,
    `<header><span>${t.provider}</span><span class="tag">${t.simulator}</span><a href="${address}?lang=${other}" lang="${other}">${t.other}</a></header>
  <div class="wrap">
    <main>
      <h1>${t.who}</h1>
      <p class="muted">${t.to} <b>${t.desk}</b> <bdi>${escaped(desk)}</bdi></p>
      <form method="post" action="${address}/login?lang=${language}">
        ${people.map((person, index) => choiceOf(person, language, index === 0)).join('')}
        <label class="field">${t.password} <span class="muted">(${t.same})</span>
          <input type="text" name="password" value="${demoPassword}" dir="ltr" autocomplete="off" spellcheck="false" /></label>
        ${isWrong ? `<p role="alert">${t.wrong}</p>` : ''}
        <button type="submit" class="first-choice">${t.signInAs}
          ${people.map((person) => `<span class="name name-${person.id}">${person.texts[language].name}</span>`).join('')}</button>
      </form>
      <form method="post" action="${address}/abort"><button type="submit">${t.cancel}</button></form>
    </main>
    <aside>
      <h2>${t.standsIn}</h2>
      <p>${t.inLive} <bdi>DESK_OIDC_ISSUER</bdi>. ${t.neverSees}</p>
      <ul><li>${t.again}</li><li>${t.another}</li><li>${t.takesBack}</li></ul>
      <h2>${t.testers}</h2>
      <ul>
        <li><form method="post" action="${address}/everyone?lang=${language}" style="margin: 0"><button type="submit" class="link">${t.endAll}</button></form></li>
        <li>${t.outage}</li>
      </ul>
    </aside>
  </div>`,
  )
}

export const everyoneOutPage = (language: PageLanguage): string =>
  page(
    language,
    texts[language].title,
    `<div class="wrap"><main><h1>${texts[language].allEnded}</h1></main></div>`,
  )

/** Sends itself: a company's provider asks for nothing more when it knows whose session ends. */
export const signingOutPage = (form: string): string =>
  page(
    'en',
    'Signing out',
    `<div class="wrap"><main><h1>Signing out…</h1>${form.replace('</form>', '<input type="hidden" name="logout" value="yes" /><button type="submit" class="first-choice">Sign out</button></form>')}</main></div>
    <script>document.forms[0].submit()</script>`,
  )

export const signedOutPage = (): string =>
  page('en', 'Signed out', '<div class="wrap"><main><h1>You are signed out.</h1></main></div>')

export const failurePage = (error: string): string =>
  page('en', 'Not possible', `<div class="wrap"><main><h1>Not possible: ${escaped(error)}</h1></main></div>`)
