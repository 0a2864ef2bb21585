import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { type LanguageCode, languageCookie } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { findChromium } from '#test/kit/chromium.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'
import { words } from '#test/kit/words.ts'
import { longNameAr, longNameEn } from './fixtures.ts'
import { type Scene, scenes, type Visitor } from './scenes.ts'

/*
 * `npm run pictures [-- --only orders --language ar --width 390]`, or `-- --readme` for those of the README: every route and state as a picture in pictures/,
 * in both languages and three sizes, and on paper, on a stack of its own. For people to look at: nothing here passes or fails by pixels,
 * but a state that cannot be reached, or that is wider than its screen, ends the run with its name.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    language: { type: 'string', default: '' },
    width: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
  },
})

const folder = fileURLToPath(new URL('../../pictures', import.meta.url))
const readmeFolder = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const sizes = [
  { width: 360, height: 800 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const
/** Each shows one screen of a phone. */
const readmePictures = [
  { file: 'home-ar', scene: 'home', language: 'ar' },
  { file: 'booking-ar', scene: 'booking-chosen', language: 'ar' },
  { file: 'thank-you-en', scene: 'thank-you-paid', language: 'en' },
  { file: 'checkout-en', scene: 'checkout', language: 'en' },
  { file: 'orders-ar', scene: 'orders', language: 'ar' },
  { file: 'agent-orders-en', scene: 'agent-orders', language: 'en' },
] as const satisfies readonly { file: string; scene: string; language: LanguageCode }[]
const languages: readonly LanguageCode[] = ['ar', 'en']
/** An agent for each language, because a phone gets one code per minute. */
const agentPhones: Record<LanguageCode, string> = { ar: '+966500000101', en: '+966500000102' }

const wanted = scenes.filter(({ name }) => name.includes(values.only))
const stack = await startStack()
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
const wrongs: string[] = []
try {
  await (values.readme ? makeReadmePictures() : makeAllPictures())
} finally {
  await browser.close()
  await stack.close()
}
process.stdout.write(`\n${wrongs.map((wrong) => `${wrong}\n`).join('')}`)
if (wrongs.length > 0) process.exitCode = 1

async function makeAllPictures(): Promise<void> {
  for (const language of languages.filter((each) => each.includes(values.language))) {
    const people = await peopleOf(stack, language)
    for (const size of sizes.filter(({ width }) => String(width).includes(values.width))) {
      const place = join(folder, `${language}-${size.width}`)
      if (values.only === '') await rm(place, { recursive: true, force: true })
      for (const scene of wanted.filter(({ on }) => on !== 'paper')) {
        const file = join(place, `${scene.name}.png`)
        printResult(
          `${language} ${size.width} ${scene.name}`,
          await picture(scene, people, language, size, file),
        )
      }
    }
    // A print does not depend on the screen: made once, at phone size.
    for (const scene of wanted.filter(({ on }) => on === 'paper')) {
      const file = join(folder, `${language}-paper`, `${scene.name}.pdf`)
      printResult(`${language} paper ${scene.name}`, await picture(scene, people, language, sizes[1], file))
    }
  }
}

async function makeReadmePictures(): Promise<void> {
  const everybody = { ar: await peopleOf(stack, 'ar'), en: await peopleOf(stack, 'en') }
  for (const { file, scene: name, language } of readmePictures) {
    const scene = scenes.find((each) => each.name === name)
    if (scene === undefined) throw new Error(`there is no scene ${name}`)
    const path = join(readmeFolder, `${file}.png`)
    printResult(file, await picture(scene, everybody[language], language, sizes[1], path, false))
  }
}

function printResult(what: string, wrong: string | undefined): void {
  if (wrong !== undefined) wrongs.push(`${what}: ${wrong}`)
  process.stdout.write(wrong === undefined ? '.' : 'x')
}

type People = Readonly<Record<Visitor, Person | undefined>>

async function peopleOf(on: Stack, lang: LanguageCode): Promise<People> {
  const user = newPerson(on, { lang })
  await user.signUp(newPhone(), lang === 'ar' ? longNameAr : longNameEn)
  const agent = newPerson(on, { lang })
  await agent.signInAgent(agentPhones[lang])
  return { visitor: undefined, user, agent }
}

/** Resolves with what is wrong; undefined when the picture was made and nothing is. */
async function picture(
  scene: Scene,
  people: People,
  language: LanguageCode,
  size: (typeof sizes)[number],
  file: string,
  fullPage = scene.on !== 'screen',
): Promise<string | undefined> {
  const isPhone = size.width < 1000
  const context = await browser.newContext({
    viewport: size,
    hasTouch: isPhone,
    isMobile: isPhone,
    baseURL: stack.gatewayUrl,
    reducedMotion: 'reduce',
  })
  try {
    context.setDefaultTimeout(12_000)
    await context.addCookies(cookiesOf(people[scene.who], language))
    const page = await context.newPage()
    const stage = {
      page,
      context,
      language,
      t: words(language),
      control: stack.control,
      phone: newPhone(),
      gatewayUrl: stack.gatewayUrl,
    }
    let failure: string | undefined
    try {
      await scene.play(stage)
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      await page.waitForFunction(isStill)
    } catch (error) {
      failure = error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)
    }
    await mkdir(dirname(file), { recursive: true })
    await writeFile(
      file,
      scene.on === 'paper' ? await page.pdf({ format: 'A4' }) : await shoot(page, fullPage),
    )
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    return failure ?? (scrollWidth > clientWidth + 1 ? `${scrollWidth} px wide` : undefined)
  } finally {
    await context.close()
  }
}

/** Waits for animations of lists and toasts, not for spinners, which never end. */
function isStill(): boolean {
  return document
    .getAnimations()
    .every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity)
}

async function shoot(page: Page, fullPage: boolean): Promise<Buffer> {
  // A picture of the whole page is taken from its top: otherwise sticky bars would be in its middle.
  if (fullPage) await page.evaluate(() => window.scrollTo(0, 0))
  return page.screenshot({ fullPage, animations: 'disabled', caret: 'initial' })
}

function cookiesOf(
  person: Person | undefined,
  language: LanguageCode,
): Parameters<BrowserContext['addCookies']>[0] {
  const url = stack.gatewayUrl
  const own = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url }))
  return [
    ...own.filter(({ name }) => name !== languageCookie.name),
    { name: languageCookie.name, value: language, url },
  ]
}
