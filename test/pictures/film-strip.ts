import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { newPerson } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'
import { words } from '#test/kit/words.ts'
import { stageOf } from './stage.ts'

/*
 * What two people at a counter see at once: the agent's phone and the pilgrim's, from the scan to the torn tag. The pilgrim's
 * page is told by its event stream alone.
 */

type PlayedStack = Pick<Stack, 'control' | 'gatewayUrl' | 'logs'>
type Scheme = 'light' | 'dark'

const viewport = { width: 390, height: 844 }
/** One for each strip, because a phone gets one code per minute. */
const agentPhones = ['+966500000103', '+966500000104', '+966500000105', '+966500000106']
/** Into the tear, after the news has arrived (sketches: 0 to 500 ms). */
const tearMs = 200

/** Writes `film-<language>-<scheme>.png` for both languages and schemes. */
export async function makeFilmStrips(stack: PlayedStack, browser: Browser, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const phones = [...agentPhones]
  for (const language of ['ar', 'en'] as const)
    for (const scheme of ['light', 'dark'] as const) {
      const frames = await play(stack, browser, language, scheme, phones.shift() ?? '')
      await writeFile(join(folder, `film-${language}-${scheme}.png`), await strip(browser, frames))
    }
}

/** @returns pairs of pictures: the agent's and the pilgrim's. */
async function play(
  stack: PlayedStack,
  browser: Browser,
  language: LanguageCode,
  colorScheme: Scheme,
  agentPhone: string,
): Promise<readonly (readonly [Buffer, Buffer])[]> {
  const t = words(language)
  const open = async (person: ReturnType<typeof newPerson>, path: string) => {
    const context = await browser.newContext({
      viewport,
      isMobile: true,
      hasTouch: true,
      baseURL: stack.gatewayUrl,
      colorScheme,
    })
    const page = await context.newPage()
    await stageOf(page, stack, person, language)
    await page.goto(path)
    return page
  }
  const agent = newPerson(stack, { lang: language })
  await agent.signInAgent(agentPhone)
  const owner = newPerson(stack, { lang: language })
  const { id } = await owner.signUp(
    newPhone(),
    language === 'ar' ? 'الحاجة فاطمة بنت أحمد' : 'Siti Rahmawati',
  )
  const here = (await owner.agents()).find(({ phone }) => phone.replace(/\s/g, '') === agentPhone)
  const { orderId } = await owner.checkout(id, here && { agentCode: here.id })
  await stack.control.replay(orderId, 'success')
  const awb = await eventually(async () => (await owner.order(orderId)).bookings[0]?.awb ?? undefined)

  const streams = Promise.withResolvers<void>()
  const pilgrim = await open(owner, paths.order(orderId))
  pilgrim.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('/events')) streams.resolve()
  })
  await pilgrim.reload()
  await pilgrim.getByText(awb, { exact: true }).first().waitFor()
  await streams.promise

  const counter = await open(agent, paths.agentScan)
  await counter.getByRole('textbox', { name: t('handovers:number.label'), exact: true }).fill(awb)
  const confirm = counter.getByRole('button', { name: t('handovers:confirm'), exact: true })
  await counter.getByRole('button', { name: t('handovers:number.check'), exact: true }).click()
  await confirm.waitFor()
  const pair = () => Promise.all([shoot(counter), shoot(pilgrim)])
  const before = await pair()
  await confirm.click()
  await pilgrim.getByText(t('tag:receipt.keep'), { exact: true }).waitFor()
  await pilgrim.waitForTimeout(tearMs)
  const during = await pair()
  for (const page of [counter, pilgrim])
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    )
  const after = await pair()
  await Promise.all([counter.context().close(), pilgrim.context().close()])
  return [before, during, after]
}

const shoot = (page: Page) => page.screenshot({ caret: 'initial' })

/** Pairs side by side, from left to right as time goes. */
async function strip(browser: Browser, frames: readonly (readonly [Buffer, Buffer])[]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 2 * 390 * frames.length + 200, height: 900 } })
  const picture = (bytes: Buffer) =>
    `<img src="data:image/png;base64,${bytes.toString('base64')}" width="390" height="844">`
  await page.setContent(
    `<body style="margin:0;padding:28px;display:flex;gap:48px;background:#888;inline-size:max-content">${frames
      .map((pair) => `<div style="display:flex;gap:4px">${pair.map(picture).join('')}</div>`)
      .join('')}</body>`,
  )
  try {
    return await page.locator('body').screenshot()
  } finally {
    await page.close()
  }
}
