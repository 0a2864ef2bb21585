import type { Page } from 'playwright-core'

/** Text twice as large, as by the browser's settings: queries of media in `em` follow it. */
export async function doubleText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
}
