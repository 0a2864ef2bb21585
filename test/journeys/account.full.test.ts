import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'
import { rfcReader, rfcSender } from '#test/kit/gateway/web-push.ts'

// Three sign-ins of one number within a minute would exceed the limit.
const site = siteForFile({
  hasWindow: true,
  env: {
    OTP_SENDS_PER_PHONE: '10/1m',
    VAPID_PRIVATE_KEY: rfcSender.privateKey,
  },
})

test('a user turns notifications on, the worker shows them, and a log-out removes them', async () => {
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
  await named('button', t('push:switchOn')).click()
  await named('button', t('push:switchOff')).waitFor()
  await page.reload()
  await named('button', t('push:switchOff')).waitFor()

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
