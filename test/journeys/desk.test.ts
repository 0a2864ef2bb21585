import { deskPath } from '#shared/platform/pages.ts'
import { axeWrongsOf } from '#test/kit/browser/accessibility.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'

/** The desk in a browser, under its own policy: the way in by the company's sign-in, and out again. */

const site = siteForFile()

test('staff come in by the company’s sign-in, to the page they wanted, change the language and sign out', async () => {
  const { page } = await site.open({ language: 'ar', width: 1280 })
  const wrongs: string[] = []
  await page.goto(`${deskPath}/session?x=1`)
  await page.getByRole('heading', { name: 'مكتب أمتعتي' }).waitFor()
  wrongs.push(...(await axeWrongsOf(page, 'signed out')))
  const way = page.getByRole('link', { name: 'تسجيل الدخول' })
  // A button that is a link: antd's colours, not those of links. What is as its ground axe does not call wrong.
  expect(await way.evaluate((link) => getComputedStyle(link).color)).toBe('rgb(255, 255, 255)')
  await way.click()

  await page.getByRole('heading', { name: 'من يسجّل الدخول؟' }).waitFor()
  wrongs.push(...(await axeWrongsOf(page, 'the company’s sign-in')))
  await page.getByRole('button', { name: 'عدم الدخول' }).click()
  await page.getByText('لم يكتمل الدخول. المحاولة مرة أخرى').waitFor()
  await page.getByRole('link', { name: 'تسجيل الدخول' }).click()
  await page.getByText('لولوة', { exact: true }).first().click()
  await page.getByRole('button', { name: 'الدخول باسم' }).click()

  await page.getByRole('heading', { name: 'جلستي' }).waitFor()
  expect(new URL(page.url()).search).toBe('?x=1')
  expect(await page.getByRole('banner').textContent()).toContain('لولوة القحطاني')
  wrongs.push(...(await axeWrongsOf(page, 'the desk in Arabic')))
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'My session' }).waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
  wrongs.push(...(await axeWrongsOf(page, 'the desk in English')))
  // The lists, which a day begins with, and a dialog of antd under the policy.
  await page.goto(deskPath)
  await page.getByRole('heading', { level: 1, name: 'Bags to check' }).waitFor()
  wrongs.push(...(await axeWrongsOf(page, 'a work list')))
  await page.keyboard.press('Shift+Slash')
  await page.getByRole('dialog').waitFor()
  wrongs.push(...(await axeWrongsOf(page, 'a dialog')))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Amtiati, the desk' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${deskPath}`))
  // The session at the company has ended, too: it asks again.
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor()
  expect(wrongs).toEqual([])
})
