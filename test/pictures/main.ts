import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import type { LanguageCode } from '#shared/platform/language.ts'
import { findChromium } from '#test/kit/browser/chromium.ts'
import { startStack } from '#test/kit/programs/stack.ts'
import { deskScenes } from './desk-scenes.ts'
import { layoutFaults, untilStill } from './layout-faults.ts'
import { type Scene, scenes } from './scenes.ts'
import { type People, peopleOf, stageOf } from './stage.ts'

/*
 * `npm run pictures [-- --only orders --language ar --view 360-dark]`: every route and state as a picture in pictures/, in
 * both languages and all views, and on paper, on a stack of its own. The pictures are to be looked at: pixels are not
 * compared. The run fails, and names the scene, when a state cannot be reached or its layout has a fault
 * (layout-faults.ts). `-- --readme` makes those of the README.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    language: { type: 'string', default: '' },
    view: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
  },
})

interface View {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
  /** Twice the size of text in the browser's settings. */
  readonly isLarge: boolean
}

const folder = fileURLToPath(new URL('../../pictures', import.meta.url))
const readmeFolder = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const plain = { colorScheme: 'light', isLarge: false } as const
const phone: View = { ...plain, name: '390', width: 390, height: 844 }
const views: readonly View[] = [
  phone,
  { ...plain, name: '360', width: 360, height: 640 },
  { ...plain, name: '360-dark', width: 360, height: 640, colorScheme: 'dark' },
  { ...plain, name: '360-large', width: 360, height: 640, isLarge: true },
  { ...plain, name: '1280', width: 1280, height: 800 },
  { ...plain, name: '1280-dark', width: 1280, height: 800, colorScheme: 'dark' },
]
/** Of the desk, which no phone shows. */
const deskViews: readonly View[] = [
  { ...plain, name: '1280', width: 1280, height: 800 },
  { ...plain, name: '1280-dark', width: 1280, height: 800, colorScheme: 'dark' },
  { ...plain, name: '1280-large', width: 1280, height: 800, isLarge: true },
  { ...plain, name: '820', width: 820, height: 1180 },
]
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
const isWanted = ({ name }: Scene) => name.includes(values.only)
const isWantedView = (name: string) => values.view === '' || name === values.view
const wanted = scenes.filter(isWanted)
const stack = await startStack()
const startBrowser = (...more: string[]) =>
  chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu', ...more] })
const browser = await startBrowser()
const browserWithLargeText = await startBrowser('--blink-settings=defaultFontSize=32')
try {
  await (values.readme ? makeReadmePictures() : makeAllPictures())
} finally {
  await browser.close()
  await browserWithLargeText.close()
  await stack.close()
}
process.stdout.write('\n')

async function makeAllPictures(): Promise<void> {
  for (const language of languages.filter((each) => each.includes(values.language))) {
    const people = await peopleOf(stack, language)
    const places = new Set([...views, ...deskViews].map(({ name }) => name).filter(isWantedView))
    if (values.only === '')
      for (const name of places)
        await rm(join(folder, `${language}-${name}`), { recursive: true, force: true })
    const screens = wanted.filter(({ on }) => on !== 'paper')
    await makePictures(screens, people, language, views)
    await makePictures(deskScenes.filter(isWanted), people, language, deskViews)
    // A print does not depend on the screen: made once, at phone size.
    for (const scene of wanted.filter(({ on }) => on === 'paper' && values.view === '')) {
      const file = join(folder, `${language}-paper`, `${scene.name}.pdf`)
      printResult(`${language} paper ${scene.name}`, await picture(scene, people, language, phone, file))
    }
  }
}

async function makePictures(
  of: readonly Scene[],
  people: People,
  language: LanguageCode,
  seenAs: readonly View[],
): Promise<void> {
  for (const view of seenAs.filter(({ name }) => isWantedView(name)))
    for (const scene of of) {
      const file = join(folder, `${language}-${view.name}`, `${scene.name}.png`)
      printResult(
        `${language} ${view.name} ${scene.name}`,
        await picture(scene, people, language, view, file),
      )
    }
}

async function makeReadmePictures(): Promise<void> {
  const everyone = { ar: await peopleOf(stack, 'ar'), en: await peopleOf(stack, 'en') }
  for (const { file, scene: name, language } of readmePictures) {
    const scene = scenes.find((each) => each.name === name)
    if (scene === undefined) throw new Error(`there is no scene ${name}`)
    const path = join(readmeFolder, `${file}.png`)
    printResult(file, await picture(scene, everyone[language], language, phone, path, false))
  }
}

function printResult(what: string, wrong: string | undefined): void {
  if (wrong !== undefined) process.exitCode = 1
  process.stdout.write(wrong === undefined ? '.' : `\n${what}: ${wrong}\n`)
}

/** Resolves with what is wrong; undefined when the picture was made and nothing is. */
async function picture(
  scene: Scene,
  people: People,
  language: LanguageCode,
  view: View,
  file: string,
  fullPage = scene.on !== 'screen',
): Promise<string | undefined> {
  const { width, height, colorScheme, isLarge } = view
  const isPhone = width < 1000
  const context = await (isLarge ? browserWithLargeText : browser).newContext({
    viewport: { width, height },
    hasTouch: isPhone,
    isMobile: isPhone,
    baseURL: stack.gatewayUrl,
    colorScheme,
    reducedMotion: 'reduce',
  })
  try {
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const stage = await stageOf(page, stack, people[scene.who], language)
    let failure: string | undefined
    try {
      await scene.play(stage)
      await untilStill(page)
    } catch (error) {
      failure = error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)
    }
    // A picture of the whole page is taken from its top: otherwise sticky bars would be in its middle.
    if (fullPage) await page.evaluate(() => window.scrollTo(0, 0))
    const faults = scene.on === 'paper' ? [] : await page.evaluate(layoutFaults, !isLarge)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(
      file,
      scene.on === 'paper' ? await page.pdf({ format: 'A4' }) : await shoot(page, fullPage),
    )
    return failure ?? (faults.length > 0 ? faults.join('; ') : undefined)
  } finally {
    await context.close()
  }
}

function shoot(page: Page, fullPage: boolean): Promise<Buffer> {
  return page.screenshot({ fullPage, animations: 'disabled', caret: 'initial' })
}
