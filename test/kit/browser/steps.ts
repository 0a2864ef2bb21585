import type { FrameLocator, Locator, Page } from 'playwright-core'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { languages } from '#shared/platform/language.ts'
import { eventually } from '../basics/eventually.ts'
import type { Stack } from '../programs/stack.ts'
import type { Visit } from './chromium.ts'
import { type Words, words } from './words.ts'

/** Test cards of the provider's simulator. */
export const cards = {
  approved: '5123456789012346',
  declined: '4000000000000002',
  'asked-by-bank': '5123450000000008',
  'retry-limit': '4000000000010019',
  expired: '4000000000010035',
  'already-processed': '4000000000010043',
  unreadable: '4000000000010050',
} as const

export interface Route {
  readonly agent: PartnerAgent
  readonly center: Center
}

/** Steps of a user on the screens. Elements are found by role and visible name. */
export interface Steps {
  readonly page: Page
  readonly t: Words
  /** The element with this role and exactly this name. */
  named(role: Parameters<Page['getByRole']>[0], name: string): Locator
  heading(name: string): Promise<void>
  /** The button of a question on the booking page: it opens the list of answers. */
  question(label: string): Locator
  signUp(phone: string, name: string): Promise<void>
  /** On the agents' page, which `openAgentLogin` leads to. */
  signInAgent(phone: string): Promise<void>
  openAgentLogin(): Promise<void>
  chooseRoute(route: Route): Promise<void>
  /** On the review: who collects the bag, and another number. */
  nameReceiver(receiver: { name: string; phone: string; secondPhone: string }): Promise<void>
  /** From the review to the payment page; resolves when the card form is shown. */
  goToPayment(): Promise<FrameLocator>
  /** The card form on the payment page. */
  cardForm(): Promise<FrameLocator>
  payWith(form: FrameLocator, card: string): Promise<void>
  /** Opens the menu of a signed-in person where it is folded away, and finds something in it. */
  inMenu(role: 'link' | 'button', name: string): Promise<Locator>
  logOut(): Promise<void>
  order(orderId: number): Locator
  /** Finds an order on the agents' page and opens it. */
  openAssigned(orderId: number): Promise<Locator>
  /** Back to the list, where the order was opened in a sheet. */
  closeAssigned(): Promise<void>
}

/** Before a step that ends the session: a page may be reading its orders meanwhile, after a notice of the stream for example. */
export function expectSessionEnd(visit: Visit): void {
  visit.expectAnswer(401, /^\/api\/orders\/(user\/)?\d+$/)
}

const escapeForRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export function stepsOf(visit: Visit, stack: Stack): Steps {
  const { page, language } = visit
  const t = words(language)
  const named: Steps['named'] = (role, name) => page.getByRole(role, { name, exact: true })
  const heading: Steps['heading'] = (name) => named('heading', name).first().waitFor()

  const codeDialog = named('dialog', t('sessions:code.title'))

  async function enterPhone(phone: string): Promise<void> {
    await named('textbox', t('sessions:phone')).fill(phone)
    await named('button', t('sessions:send')).click()
    // The form of a page that waits for its session is another one; while a press is sent, a second one does nothing.
    await eventually(async () => {
      if (await codeDialog.isVisible()) return true
      await page.locator('main form [type="submit"]').first().dispatchEvent('click')
      return undefined
    })
  }

  async function enterCode(phone: string): Promise<void> {
    const code = await stack.control.codeFor(phone)
    // Filled in at once, as a phone's autofill does: a complete code is submitted without pressing a button.
    await codeDialog.getByRole('textbox', { name: t('sessions:code.label'), exact: true }).fill(code)
  }

  const question: Steps['question'] = (label) =>
    page.getByRole('button', { name: new RegExp(`^${escapeForRegExp(label)}`) })

  /** @param shown the beginning of the row, where that is not `option` */
  async function choose(label: string, option: string, shown?: RegExp): Promise<void> {
    const sheet = named('dialog', label)
    // An answer opens the next question by itself.
    if (!(await sheet.isVisible())) await question(label).click()
    await sheet.getByRole('searchbox').fill(option)
    // The row's accessible name continues with the lines below: address, city, phone.
    await sheet
      .getByRole('button', { name: shown ?? new RegExp(`^${escapeForRegExp(option)}(?!\\d)`) })
      .first()
      .click()
    await sheet.waitFor({ state: 'detached' })
  }

  const inMenu: Steps['inMenu'] = async (role, name) => {
    const account = page.getByRole('navigation', { name: t('shell:account'), exact: true })
    await account.waitFor()
    const wanted = account.getByRole(role, { name, exact: true })
    if (!(await wanted.isVisible()))
      await account.getByRole('button', { name: t('shell:menu'), exact: true }).click()
    await wanted.waitFor()
    return wanted
  }

  return {
    page,
    t,
    named,
    heading,
    question,
    async signUp(phone, name) {
      await page.goto('/')
      await page
        .getByRole('banner')
        .getByRole('link', { name: t('shell:login'), exact: true })
        .click()
      await page.getByRole('radio', { name: t('sessions:mode.signup'), exact: true }).check()
      await named('textbox', t('sessions:name')).fill(name)
      await enterPhone(phone)
      await enterCode(phone)
      await heading(t('booking:title'))
    },
    async openAgentLogin() {
      await page
        .getByRole('contentinfo')
        .getByRole('link', { name: t('shell:footer.agentLogin'), exact: true })
        .click()
      await heading(t('sessions:agent.title'))
    },
    async signInAgent(phone) {
      await enterPhone(phone)
      await enterCode(phone)
      await heading(t('agent-orders:title'))
    },
    async chooseRoute({ agent, center }) {
      await heading(t('booking:title'))
      await choose(t('booking:labels.FROM_MINA.agentCode'), inLanguage(agent.name, language))
      await choose(t('booking:labels.FROM_MINA.toCity'), cityName(center.city, language))
      await choose(
        t('booking:labels.FROM_MINA.centerCode'),
        language === 'ar' ? center.addressAR : center.addressEN,
        branchRow(language === 'ar' ? center.addressAR : center.addressEN),
      )
      await page.getByRole('button', { name: continueName(t) }).click()
      await heading(t('checkout:title'))
    },
    async nameReceiver(receiver) {
      await named('button', t('receiver:other')).click()
      for (const [field, text] of Object.entries(receiver))
        await named('textbox', t(`receiver:form.${field}`)).fill(text)
      await named('button', t('receiver:form.save')).click()
      await page.getByText(receiver.secondPhone, { exact: true }).waitFor()
    },
    async goToPayment() {
      const amount = t('platform:money', { amount: '50.00' })
      await named('button', t('checkout:pay', { amount })).click()
      return cardForm()
    },
    cardForm,
    async payWith(form, card) {
      await pressCard(form, card)
      await form.getByRole('button', { name: t('payment:widget.pay') }).click()
    },
    inMenu,
    async logOut() {
      expectSessionEnd(visit)
      await (await inMenu('button', t('shell:logout'))).click()
      await page
        .getByRole('banner')
        .getByRole('link', { name: t('shell:login'), exact: true })
        .waitFor()
    },
    order: (orderId) => named('article', orderNumber(orderId)),
    async openAssigned(orderId) {
      // The result of the search replaces the rows: one that is pressed before may be gone when the button is released.
      const isSearch = (url: URL) => [...url.searchParams.values()].includes(orderNumber(orderId))
      const found = page.waitForResponse((response) => isSearch(new URL(response.url())))
      await named('searchbox', t('agent-orders:search.label')).fill(orderNumber(orderId))
      await found
      const rows = page.getByRole('button', { name: /OD-\d+$/ })
      await eventually(async () => ((await rows.count()) === 1 ? true : undefined))
      await rows.click()
      const order = named('article', orderNumber(orderId))
      await order.waitFor()
      return order
    },
    async closeAssigned() {
      const sheet = named('dialog', t('agent-orders:detail'))
      if (!(await sheet.isVisible())) return
      await sheet.getByRole('button', { name: t('ui:close'), exact: true }).click()
      await sheet.waitFor({ state: 'detached' })
    },
  }

  async function cardForm(): Promise<FrameLocator> {
    await heading(t('payment:title'))
    const isRtl = languages[language].direction === 'rtl'
    const form = page.getByTitle(isRtl ? 'نموذج البطاقة' : 'Card form', { exact: true }).contentFrame()
    await form.getByRole('button', { name: t('payment:widget.pay') }).waitFor()
    return form
  }

  async function pressCard(form: FrameLocator, card: string): Promise<void> {
    await form.getByRole('button', { name: card.replace(/(.{4})(?=.)/g, '$1 ') }).click()
  }
}

/** The row of a branch has the parts of its address in another order: district, street, shop. */
export function branchRow(address: string): RegExp {
  const last = address.split(/[,،] */).at(-1) ?? address
  return new RegExp(`${escapeForRegExp(last)}(?!\\d)`)
}

/** The button that leads to the review. On phones it names the price, too. */
export const continueName = (t: (key: string) => string): RegExp =>
  new RegExp(`^${escapeForRegExp(t('booking:continue'))}`)
