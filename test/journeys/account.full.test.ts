import { readFile } from 'node:fs/promises'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { AccountExport } from '#shared/account/account.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { siteForFile } from '#test/kit/site.ts'
import { expectSessionEnd, stepsOf } from '#test/kit/steps.ts'
import { rfcReader, rfcSender } from '#test/kit/web-push.ts'

// Three sign-ins of one number within a minute would exceed the limit.
const site = siteForFile({
  hasWindow: true,
  env: {
    OTP_SENDS_PER_PHONE: '10/1m',
    VAPID_PUBLIC_KEY: rfcSender.publicKey,
    VAPID_PRIVATE_KEY: rfcSender.privateKey,
    VAPID_SUBJECT: 'mailto:care@amtiati.example',
  },
})

const people: { language: LanguageCode; width: 390 | 1280; name: string }[] = [
  { language: 'ar', width: 390, name: 'عائشة بنت سعد' },
  { language: 'en', width: 1280, name: 'Yusuf Adeyemi' },
]

describe.each(people)('in $language on a screen of $width px', ({ language, width, name }) => {
  it('a user exports the data and deletes the account', async () => {
    const visit = await site.open({ language, width })
    const { page, t, named, heading, signUp, inMenu } = stepsOf(visit, site.stack)
    const phone = newPhone()
    await signUp(phone, name)
    await (await inMenu('link', t('shell:ownAccount', { name }))).click()
    await heading(t('account:title'))
    expect(new URL(page.url()).pathname).toBe(paths.account)
    await page.getByRole('main').getByText(phone, { exact: true }).waitFor()
    await page.getByText(t('account:sessions.current'), { exact: true }).waitFor()

    const link = page.getByRole('link', { name: t('account:export.download'), exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe('amtiati-account.json')
    const file = Value.Parse(AccountExport, JSON.parse(await readFile(await download.path(), 'utf8')))
    expect(file.profile).toMatchObject({ name, phone })

    expectSessionEnd(visit)
    await named('button', t('account:remove.open')).click()
    const dialog = named('dialog', t('account:remove.dialog'))
    await dialog.getByText(t('account:remove.staysOrders'), { exact: true }).waitFor()
    await dialog.getByRole('button', { name: t('account:remove.confirm'), exact: true }).dblclick()
    const farewell = named('dialog', t('account:remove.done'))
    await farewell.getByRole('button', { name: t('account:remove.home'), exact: true }).click()
    await heading(t('home:services.title'))
    await page
      .getByRole('banner')
      .getByRole('link', { name: t('shell:login'), exact: true })
      .waitFor()

    // A visitor is redirected to sign-in, and from there back to this page.
    await page.goto(paths.account)
    await heading(t('sessions:login.title'))
    expect(new URL(page.url()).searchParams.get('next')).toBe(paths.account)
  })
})
it('a user turns notifications on, the worker shows them, and a log-out removes them', async () => {
  const name = 'ليلى حسن'
  const visit = await site.open({ language: 'ar' })
  const { page, t, named, heading, signUp, inMenu, logOut } = stepsOf(visit, site.stack)
  await page.context().grantPermissions(['notifications'])
  const { p256dh, auth } = rfcReader
  // Without a network a browser cannot subscribe at its push service. All after that is real.
  await page.addInitScript(
    (subscription) => {
      PushManager.prototype.subscribe = async () =>
        ({ toJSON: () => subscription }) as unknown as PushSubscription
    },
    { endpoint: 'https://fcm.googleapis.com/fcm/send/journey', keys: { p256dh, auth } },
  )
  await signUp(newPhone(), name)
  await (await inMenu('link', t('shell:ownAccount', { name }))).click()
  await heading(t('account:title'))
  await named('button', t('account:push.switchOn')).click()
  await named('button', t('account:push.switchOff')).waitFor()
  await page.reload()
  await named('button', t('account:push.switchOff')).waitFor()

  const devtools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first !== undefined) resolve(first.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const sent = {
    title: 'أمتعتي',
    body: 'حقيبتك جاهزة للاستلام.',
    lang: 'ar',
    dir: 'rtl',
    tag: 'at-branch-42-7',
  }
  const navigate = `${site.stack.gatewayUrl}/orders/42`
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: site.stack.gatewayUrl,
    registrationId: await registered,
    data: JSON.stringify({ web_push: 8030, notification: { ...sent, navigate } }),
  })
  const shown = () =>
    page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications()
      return notifications.map(({ title, body, lang, dir, tag, data }) => ({
        title,
        body,
        lang,
        dir,
        tag,
        data,
      }))
    })
  await eventually(async () => (await shown()).length > 0 || undefined)
  expect(await shown()).toEqual([{ ...sent, data: { url: navigate } }])

  await logOut()
  await eventually(async () => (await shown()).length === 0 || undefined)
})
