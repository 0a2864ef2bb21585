import { paths } from '#client/platform/paths.ts'
import { recordHandover } from '#shared/orders/handovers.operations.ts'
import { createShare } from '#shared/shares/shares.operations.ts'
import { agentCodeOf, issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { stepsOf } from '#test/kit/browser/steps.ts'
import { newPerson } from '#test/kit/gateway/person.ts'

/** Pages that change while they are looked at. */

const site = siteForFile()
const agentPhone = '+966500000102'

test('a hand-over is seen on the owner’s page and behind a shared link, without a reload', async () => {
  const { stack } = site
  const pilgrim = await signedUpPilgrim(stack)
  const { person } = pilgrim
  const orderId = await paidOrder(stack, pilgrim, { agentCode: await agentCodeOf(person, agentPhone) })
  const awb = await issuedAwb(person, orderId)
  const { url } = await person.call(createShare, { params: { id: String(orderId) } })
  const agent = newPerson(stack)
  await agent.signInAgent(agentPhone)

  const [own, shared] = [await site.open({ language: 'ar' }), await site.open({ language: 'en' })]
  await own.page
    .context()
    .addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: stack.gatewayUrl })))
  const loads: string[] = []
  for (const { page } of [own, shared])
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url())
    })
  const streams = [own, shared].map(({ page }) =>
    page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/events')),
  )
  await own.page.goto(paths.order(orderId))
  await shared.page.goto(new URL(url).pathname)
  await Promise.all(streams)
  await agent.call(recordHandover, { body: { awb } })
  await own.page.getByText(stepsOf(own, stack).t('tag:receipt.title')).first().waitFor()
  await shared.page.getByText(stepsOf(shared, stack).t('track:state.torn')).first().waitFor()
  expect(loads).toHaveLength(2)
})
