import { daysTextOf } from '#client/entities/promise/days-text.rules.ts'
import { hasExamples } from '#client/features/home/home.rules.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { transitDaysOverall } from '#shared/platform/promises.rules.ts'
import { isInForce } from '#shared/stops/in-force.ts'

const languageNow = () => (document.documentElement.lang === 'en' ? 'en' : 'ar')

type Fill = (element: HTMLElement, config: PublicConfig) => void

/** By the `data-config` of an element. */
const fills: Readonly<Record<string, Fill>> = {
  email: (element, { contact }) => setText(element, contact.email),
  phone: (element, { contact }) => setText(element, contact.phone),
  address: (element, { contact }) => setText(element, contact.address[languageNow()]),
  appLink: (element, { appLink }) => element.setAttribute('href', appLink),
  paymentTest: (element, { paymentTest }) => setShown(element, paymentTest),
  days: fillDays,
  lost: (element, { promises: { lostSar } }) => {
    setShown(element, lostSar !== undefined)
    const sum = element.querySelector('dd')
    if (sum !== null && lostSar !== undefined) sum.textContent = sum.textContent.replace('0', String(lostSar))
  },
  example: (element, config) => setShown(element, hasExamples(config)),
  stopped: (element, config) => showStop(element, stopOfAll(config)),
  unlessStopped: (element, config) => setShown(element, stopOfAll(config) === undefined),
  cityStopped: (element, config) => showStop(element, stopOfCity(element, config)),
  unlessCityStopped: (element, config) => setShown(element, stopOfCity(element, config) === undefined),
}

/** Writes values of the gateway's configuration into a page that is read without the app. */
export async function fillIn(): Promise<void> {
  const answer = await fetch('/api/config', { headers: { accept: 'application/json' } })
  if (!answer.ok) return
  const config = (await answer.json()) as PublicConfig
  window.servedConfig = { config, at: Date.now() }
  for (const element of document.querySelectorAll<HTMLElement>('#served [data-config]'))
    fills[element.dataset.config ?? '']?.(element, config)
}

function setShown(element: HTMLElement, isShown: boolean): void {
  element.hidden = !isShown
}

function setText(element: Element, text: string): void {
  const [inner] = element.children
  if (inner === undefined) element.textContent = text
  else setText(inner, text)
}

const stopsNow = ({ stops }: PublicConfig) => stops.filter((stop) => isInForce(stop, Date.now()))

const stopOfAll = (config: PublicConfig) => stopsNow(config).findLast(({ what }) => what === 'all')

const stopOfCity = ({ dataset: { city } }: HTMLElement, config: PublicConfig) =>
  stopsNow(config).findLast(({ what, code }) => what === 'city' && code === city)

function showStop(element: HTMLElement, stop: PublicConfig['stops'][number] | undefined): void {
  setShown(element, stop !== undefined)
  if (stop !== undefined) setText(element.querySelector('span') ?? element, stop.text[languageNow()])
}

/** The days of all cities. */
function fillDays(element: HTMLElement, { promises }: PublicConfig): void {
  const days = transitDaysOverall(promises)
  setShown(element, days !== undefined)
  const [, byCity, text] = element.children
  if (days === undefined || !(byCity instanceof HTMLElement) || text === undefined) return
  setShown(byCity, Object.keys(promises.transitDays).length > 1)
  text.textContent = daysTextOf(textsOf(JSON.parse(element.dataset.texts ?? '{}')), days)
  delete element.dataset.toCome
}

/** Reads texts of `promise`, of which the document has those of its language: the library is a third of the page's weight. */
function textsOf(texts: Readonly<Record<string, string>>) {
  return (key: string, values: Readonly<Record<string, number | string>> = {}): string => {
    const form =
      typeof values.count === 'number' ? new Intl.PluralRules(languageNow()).select(values.count) : undefined
    const text = texts[`${key}_${form}`] ?? texts[key] ?? ''
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
}
