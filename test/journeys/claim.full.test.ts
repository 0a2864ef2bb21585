import type { Page } from 'playwright-core'
import { paths } from '#client/platform/paths.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { startOrder } from '#test/kit/browser/page-orders.ts'
import { readScreen } from '#test/kit/browser/pdf.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'

const site = siteForFile()

/** Device pixels per module of the barcode on screen. */
function pixelsPerModule(page: Page, within: string): Promise<number> {
  return page.evaluate((selector) => {
    const code = document.querySelector(`${selector} [role="img"]`)
    const modules = code instanceof SVGSVGElement ? code.viewBox.baseVal.width : 0
    return ((code?.getBoundingClientRect().width ?? 0) * window.devicePixelRatio) / modules
  }, within)
}

interface Recorded {
  readonly shared?: number[]
  readonly locks: string[]
}

/** Runs in the page: records the picture that is shared and the requests to keep the screen on. */
function recordDevice(): void {
  const recorded: { shared?: number[]; locks: string[] } = { locks: [] }
  Object.assign(window, { recorded })
  Object.defineProperty(navigator, 'canShare', { value: () => true, configurable: true })
  Object.defineProperty(navigator, 'share', {
    configurable: true,
    value: async ({ files }: { files: File[] }) => {
      const [file] = files
      if (file !== undefined) recorded.shared = [...new Uint8Array(await file.arrayBuffer())]
    },
  })
  Object.defineProperty(navigator, 'wakeLock', {
    configurable: true,
    value: {
      request: async (type: string) => {
        recorded.locks.push(type)
        const lock = new EventTarget()
        return Object.assign(lock, {
          release: async () => {
            recorded.locks.push('released')
          },
        })
      },
    },
  })
}
const recordedOf = (page: Page) => page.evaluate(() => (window as unknown as { recorded: Recorded }).recorded)

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    test('the claim can be scanned at 360 px, in both schemes, in full screen, and from the picture that is shared', async () => {
      const visit = await site.open({ language })
      const { page, t, named, heading, signUp } = stepsOf(visit, site.stack)
      await page.addInitScript(recordDevice)
      await page.setViewportSize({ width: 360, height: 800 })
      await signUp(newPhone(), 'فاطمة بنت أحمد')
      const { orderId } = await startOrder(page)
      await site.stack.control.replay(orderId, 'success')
      await page.goto(paths.order(orderId))
      await heading(t('payment:thankYou.titles.PAID'))
      const number = page
        .getByRole('main')
        .getByText(/^\d{12}$/)
        .first()
      const awb = (await number.textContent()) ?? ''
      expect(awb).toMatch(/^\d{12}$/)

      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await readScreen(await page.screenshot({ animations: 'disabled' })), colorScheme).toBe(awb)
        expect((await pixelsPerModule(page, 'main')) % 1).toBeCloseTo(0, 3)
      }

      // Still dark: the full screen is white all the same.
      await named('button', t('awb:full.open')).click()
      const full = named('dialog', t('awb:full.title'))
      await full.getByText(t('awb:full.lit'), { exact: true }).waitFor()
      expect(await readScreen(await page.screenshot({ animations: 'disabled' }))).toBe(awb)
      expect((await pixelsPerModule(page, 'dialog')) % 1).toBeCloseTo(0, 3)
      expect(await full.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
        'rgb(255, 255, 255)',
      )
      await page.keyboard.press('Escape')
      await full.waitFor({ state: 'detached' })
      expect((await recordedOf(page)).locks).toEqual(['screen', 'released'])
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe(t('awb:full.open'))

      await page.getByText(t('pass:more'), { exact: true }).click()
      await expect
        .poll(async () => {
          await named('button', t('awb:share')).click()
          return (await recordedOf(page)).shared?.length ?? 0
        })
        .toBeGreaterThan(1000)
      expect(await readScreen(Uint8Array.from((await recordedOf(page)).shared ?? []))).toBe(awb)
    })
  })
