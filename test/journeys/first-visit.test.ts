import type { Page } from 'playwright-core'
import { operationHref } from '#client/platform/operation-href.ts'
import { paths } from '#client/platform/paths.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import { languages } from '#shared/platform/language.ts'
import { readAgentSession, readUserSession } from '#shared/sessions/sessions.operations.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { isFull, languagesOrOne } from '#test/kit/basics/full-run.ts'
import { appHasStarted } from '#test/kit/browser/chromium.ts'
import { expect, inFull, test } from '#test/kit/browser/journey.ts'
import { holdRequests } from '#test/kit/browser/page-watch.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'
import { words } from '#test/kit/browser/words.ts'

/** What a first visit shows before, while and after the app appears. */

const site = siteForFile()

const publicPaths = [
  paths.home,
  ...(isFull ? [paths.privacyPolicy, paths.terms, paths.auth, paths.agentAuth] : []),
]

/** Scripts arrive empty. */
async function withoutScripts(page: Page, which: string | RegExp = '**/assets/*.js'): Promise<void> {
  await page.route(which, (route) =>
    route.fulfill({ body: '', contentType: 'text/javascript; charset=utf-8' }),
  )
}

/** Measures from now on how far the layout of each document shifts. @returns the sum in the present document */
async function measureShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const measured = window as unknown as { shift: number }
    measured.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) measured.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    // The frame that shows the last change.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    return page.evaluate(() => (window as unknown as { shift: number }).shift)
  }
}

for (const language of languagesOrOne('ar'))
  test.describe(`a first visit in ${language}`, () => {
    for (const path of publicPaths)
      test(`moves nothing of ${path} when the app appears, and loads no style twice`, async () => {
        const visit = await site.open({ language })
        const styles: string[] = []
        const shift = await measureShift(visit.page)
        visit.page.on('request', (request) => {
          if (request.resourceType() === 'stylesheet') styles.push(request.url())
        })
        await visit.page.goto(path)
        await appHasStarted(visit.page)
        await visit.page.getByRole('heading', { level: 1 }).waitFor()
        await visit.page.waitForLoadState('load')
        expect(await shift()).toBeLessThanOrEqual(0.02)
        const served = await visit.page
          .locator('link[rel=stylesheet][disabled]')
          .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href))
        expect(served).not.toEqual([])
        expect(styles.filter((url) => served.includes(url))).toEqual([])
      })

    test('can be read, and its links work, before the app starts', async () => {
      const visit = await site.open({ language })
      const { page } = visit
      await withoutScripts(page)
      await page.goto(paths.home)
      await page.getByRole('heading', { level: 1, name: brand.tagline[language] }).waitFor()
      const hrefs = await page
        .locator('a[href^="/"]')
        .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href')))])
      expect(hrefs).toEqual(
        expect.arrayContaining([paths.auth, paths.privacyPolicy, paths.terms, paths.booking]),
      )
      await page.getByRole('main').locator(`a[href="${paths.auth}"]`).first().click()
      await page.waitForURL(`**${paths.auth}`)
    })
  })

test('what the server sent is there at once, and pages of the app that follow fade in', async () => {
  const visit = await site.open({ language: 'en' })
  const { page } = visit
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(paths.terms)
  await appHasStarted(page)
  const animation = () =>
    page.locator('main > div').evaluate((shown) => getComputedStyle(shown).animationName)
  expect(await animation()).toBe('none')
  await page.getByRole('contentinfo').locator(`a[href="${paths.agentAuth}"]`).click()
  await page.waitForURL(`**${paths.agentAuth}`)
  await page.locator('input[type="tel"]').waitFor()
  expect(await animation()).not.toBe('none')
})

for (const path of [
  paths.orders,
  ...(isFull ? [paths.booking, paths.order(1), paths.account, paths.agentOrders] : []),
])
  test(`the document of ${path} names the files of its page, which load beside the app`, async () => {
    const visit = await site.open({ language: 'en' })
    const { page } = visit
    const person = stepsOf(visit, site.stack)
    // The order is another user’s.
    visit.expectAnswer(404, /^\/api\/orders\/1$/)
    if (path === paths.agentOrders) {
      await page.goto('/')
      await person.openAgentLogin()
      await person.signInAgent('+966500000101')
    } else await person.signUp(newPhone(), 'Maryam Al-Harbi')
    const scripts: string[] = []
    page.on('request', (request) => {
      if (/\.js$/.test(request.url())) scripts.push(new URL(request.url()).pathname)
    })
    const document = (await (await page.goto(path))?.text()) ?? ''
    await appHasStarted(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // What serves the time without a network comes behind the page, and behind the agent’s list what is done with a bag.
    const counter = scripts.findIndex((script) => /bag-handover|shift-line|counter-bar/.test(script))
    const ofThePage = scripts
      .slice(0, counter === -1 ? undefined : counter)
      .filter((script) => !/preparations|worker|browser-push|outbox|sw\.js/.test(script))
    expect(ofThePage.filter((script) => !document.includes(script))).toEqual([])
    expect(ofThePage.length).toBeGreaterThan(3)
  })

test('what an order’s page asks first is asked beside the app’s files, and not again by the app', async () => {
  const visit = await site.open({ language: 'en' })
  const { page } = visit
  // The order is another user’s.
  visit.expectAnswer(404, /^\/api\/orders\/1$/)
  await stepsOf(visit, site.stack).signUp(newPhone(), 'Maryam Al-Harbi')
  const probe = { probe: '1' }
  const first = [
    operationHref(readUserSession, {}, probe),
    operationHref(readAgentSession, {}, probe),
    operationHref(readOrder, { id: 1 }),
  ]
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (first.includes(pathname + search)) asked.push(pathname + search)
  })
  const release = await holdRequests(page, /\/assets\/(?!before-app)[^/]+\.js$/)
  await page.goto(paths.order(1), { waitUntil: 'commit' })
  await eventually(() => (asked.length === first.length ? true : undefined))
  release()
  await appHasStarted(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(asked.toSorted()).toEqual(first.toSorted())
})

inFull('the other language is one press away before the app starts, and is kept', async () => {
  const visit = await site.open({ language: 'ar' })
  const { page } = visit
  await withoutScripts(page)
  await page.goto(paths.home)
  await page.getByRole('button', { name: 'English', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: brand.tagline.en }).waitFor()
  await page.goto(paths.privacyPolicy)
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})

for (const address of [
  `${paths.auth}?next=%2Forders%2F7`,
  ...(isFull
    ? [
        `${paths.privacyPolicy}?from=chat`,
        '/payment?orderId=7&clientSecret=cs_1&publicKey=pk_1',
        '/thank-you?success=true&merchant_order_id=7',
      ]
    : []),
])
  test(`the rest of the address ${address} stays when the language changes before the app starts`, async () => {
    const visit = await site.open({ language: 'ar' })
    const { page } = visit
    await withoutScripts(page, /\/assets\/(?!before-app)[^/]+\.js$/)
    const early = page.waitForResponse(/\/assets\/before-app/)
    await page.goto(`${address}&lang=ar`)
    await (await early).finished()
    // Pages behind the sign-in have it in the bar and in the footer.
    await page.getByRole('button', { name: languages.en.label, exact: true }).first().click()
    await page.waitForURL(({ searchParams }) => searchParams.get('lang') === 'en')
    const { pathname, searchParams } = new URL(page.url())
    expect(searchParams.getAll('lang')).toEqual(['en'])
    searchParams.delete('lang')
    expect(`${pathname}?${searchParams}`).toBe(address)
  })

test('what was typed and chosen before the app starts is kept', async () => {
  const visit = await site.open({ language: 'en' })
  const { page } = visit
  const release = await holdRequests(page, '**/assets/*.js')
  await page.goto(paths.auth, { waitUntil: 'commit' })
  await page.locator('input[type="tel"]').fill('50 123 4567')
  await page.locator('input[type="radio"]').nth(1).check({ force: true })
  await page.keyboard.press('Enter')
  release()
  const name = page.locator('input[autocomplete="name"]')
  await name.waitFor()
  expect(await page.locator('input[type="tel"]').inputValue()).toBe('50 123 4567')
  await name.fill('Maryam Al-Harbi')
  await page.getByRole('main').locator('button[type="submit"]').click()
  await page.getByRole('dialog').waitFor()
})

for (const how of ['button', 'Enter'])
  test(`a press of ${how} before the app starts is carried out when it comes`, async () => {
    const visit = await site.open({ language: 'en' })
    const { page } = visit
    const early = page.waitForResponse(/\/assets\/before-app/)
    const release = await holdRequests(page, /\/assets\/(?!before-app)[^/]+\.js$/)
    await page.goto(paths.auth, { waitUntil: 'commit' })
    await (await early).finished()
    await page.locator('input[type="tel"]').fill('50 123 4568')
    if (how === 'Enter') await page.keyboard.press('Enter')
    else await page.getByRole('main').locator('button[type="submit"]').click()
    await page.locator('form[data-pressed]').waitFor()
    release()
    await page.getByRole('dialog').waitFor()
    // Back closes the dialog, and the form is as it was.
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(paths.auth)
    expect(await page.locator('input[type="tel"]').inputValue()).toBe('50 123 4568')
  })

test('the served start page has the links of a user, and is theirs until they sign out', async () => {
  const visit = await site.open({ language: 'en' })
  const { page } = visit
  const person = stepsOf(visit, site.stack)
  const linksTo = (path: string) => page.locator(`a[href="${path}"]`).count()
  await person.signUp(newPhone(), 'Maryam Al-Harbi')
  const release = await holdRequests(page, '**/assets/*.js')
  await page.goto(paths.home, { waitUntil: 'commit' })
  await page.locator('html[data-role="user"]').waitFor()
  await page.getByRole('contentinfo').waitFor()
  expect(await linksTo(paths.auth)).toBe(0)
  expect(await linksTo(paths.agentAuth)).toBe(0)
  expect(await page.getByRole('main').locator(`a[href="${paths.booking}"]`).count()).toBeGreaterThan(0)
  release()
  await person.logOut()
  expect(await page.locator('html').getAttribute('data-role')).toBeNull()
  expect(await linksTo(paths.auth)).toBeGreaterThan(0)
})

test('what a user has opened and scrolled to on the served start page stays when the app appears', async () => {
  const visit = await site.open({ language: 'ar' })
  const { page } = visit
  await stepsOf(visit, site.stack).signUp(newPhone(), 'Maryam Al-Harbi')
  const shift = await measureShift(page)
  const early = page.waitForResponse(/\/assets\/before-app/)
  const release = await holdRequests(page, /\/assets\/(?!before-app|document-)[^/]+\.js$/)
  await page.goto(paths.home, { waitUntil: 'commit' })
  await (await early).finished()
  const menu = page.getByRole('button', { name: words('ar')('shell:menu'), exact: true })
  await eventually(async () => {
    if ((await menu.getAttribute('aria-expanded')) === 'true') return true
    await menu.click()
    return undefined
  })
  await page.evaluate(() => window.scrollTo(0, 300))
  release()
  await page.locator('#served').waitFor({ state: 'detached' })
  expect(await menu.getAttribute('aria-expanded')).toBe('true')
  expect(await menu.evaluate((toggle) => document.activeElement === toggle)).toBe(true)
  expect(await page.evaluate(() => window.scrollY)).toBe(300)
  expect(await shift()).toBeLessThanOrEqual(0.02)
})

test('a reader of the start page loads eight files at most, and no part of the app', async () => {
  const visit = await site.open({ language: 'ar' })
  const { page } = visit
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(paths.home)
  await page.locator('[data-config="days"]:not([data-to-come])').waitFor()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(8)
  expect(asked.filter((path) => /\/(vendor|first|index)-/.test(path))).toEqual([])
})

test('a link that was pointed at opens beside the start page, and Back leads to where its reader was', async () => {
  const visit = await site.open({ language: 'en', width: 1280 })
  const { page } = visit
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
  await page.goto(paths.home)
  const link = page.getByRole('contentinfo').locator(`a[href="${paths.agentAuth}"]`)
  const ofPage = page.waitForResponse(/\/assets\/agent-auth\.page-/)
  const ofHome = page.waitForResponse(/\/assets\/home\.page-/)
  await link.hover()
  await (await ofPage).finished()
  const scrolled = await page.evaluate(() => window.scrollY)
  // The page is compiled: a link whose page is not there loads its document.
  await eventually(async () => {
    await link.click()
    return new URL(page.url()).pathname === paths.agentAuth || undefined
  })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await (await ofHome).finished()
  await expect
    .poll(() => page.evaluate(() => [window.scrollY, document.activeElement?.tagName]))
    .toEqual([0, 'H1'])
  expect(documents).toEqual([paths.home])
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: brand.tagline.en }).waitFor()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled)
  expect(documents).toEqual([paths.home])
})

test('on a slow line the letters of the sign-in come behind the app', async () => {
  const visit = await site.open({ language: 'ar' })
  const { page } = visit
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  const release = await holdRequests(page, '**/assets/*.js')
  await page.goto(paths.auth, { waitUntil: 'commit' })
  // Written in before-app.js: a line that is faster than this has the letters at once.
  await page.waitForFunction(() => performance.now() > 700)
  await page.locator('input[type="tel"]').fill('50 123 4567')
  expect(fonts).toEqual([])
  release()
  await appHasStarted(page)
  await eventually(() => (fonts.length >= 2 ? true : undefined))
  // The app takes over what was typed before it ran.
  await expect.poll(() => page.locator('input[type="tel"]').inputValue()).toBe('50 123 4567')
})

test('text does not move when the fonts arrive', async () => {
  const visit = await site.open({ language: 'ar' })
  const { page } = visit
  const release = await holdRequests(page, '**/*.woff2')
  const shift = await measureShift(page)
  await page.goto(paths.home, { waitUntil: 'domcontentloaded' })
  release()
  await eventually(async () => {
    const loaded = await page.evaluate(
      () => [...document.fonts].filter(({ status }) => status === 'loaded').length,
    )
    return loaded >= 2 || undefined
  })
  expect(await shift()).toBeLessThanOrEqual(0.02)
})
