import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { messagingPaths } from '#shared/wire/messaging/messaging.wire.ts'

import { type CreateIntentionRequest, paymentPaths } from '#shared/wire/payment/payment.wire.ts'
import { startVisits, type Visits } from '#test/kit/chromium.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'
import { median } from './numbers.ts'
import type { Options } from './options.ts'
import { figure, tableOf } from './table.ts'

/** The simulator's panel in Chromium, with as many orders as `--sizes` says and ten messages for each. */

const messagesPerOrder = 10

interface PanelLine {
  readonly orders: number
  readonly what: string
  readonly median: number
  readonly slowest: number
}

interface PanelResult {
  readonly lines: readonly PanelLine[]
  readonly faults: readonly string[]
}

export async function runPanel(options: Options, say: (line: string) => void): Promise<PanelResult> {
  const lines: PanelLine[] = []
  for (const orders of options.sizes) {
    const stack = await startStack({ env: { LOG_LEVEL: 'warn' } })
    try {
      await fill(stack, orders)
      say(`  ${orders} orders and ${orders * messagesPerOrder} messages are there`)
      const visits = await startVisits()
      try {
        lines.push(...(await measure(visits, stack.mockUrl, orders, options.rounds)))
      } finally {
        await visits.close()
      }
    } finally {
      await stack.close()
    }
  }
  return { lines, faults: [] }
}

/** Orders are paid, and their callbacks lost: no gateway knows them. */
async function fill(stack: Stack, orders: number): Promise<void> {
  for (let number = 1; number <= orders; number += 1) {
    await post(
      `${stack.mockUrl}/payment${paymentPaths.createIntention}`,
      `Token ${demoAccounts.payment.secretKey}`,
      {
        'content-type': 'application/json',
        body: JSON.stringify(intentionOf(number)),
      },
    )
    await stack.control.replay(number, 'success', { callback: 'lose' })
    const { accountSid, authToken, from } = demoAccounts.messaging
    for (let index = 1; index <= messagesPerOrder; index += 1)
      await post(
        `${stack.mockUrl}/messaging${messagingPaths.messages(accountSid)}`,
        `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
        {
          'content-type': 'application/x-www-form-urlencoded',
          body: new URLSearchParams({
            To: phoneOf(number),
            From: from,
            Body: `Message ${index} about order OD-${number}`,
          }).toString(),
        },
      )
  }
}

/** @throws the answer to a request that was refused. */
async function post(
  url: string,
  authorization: string,
  { body, ...headers }: { body: string; 'content-type': string },
): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: { authorization, ...headers }, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
}

const phoneOf = (number: number) => `+9665${String(10_000_000 + number)}`

function intentionOf(number: number): CreateIntentionRequest {
  return {
    amount: 5_000,
    currency: 'SAR',
    payment_methods: [demoAccounts.payment.integrationId],
    items: [{ name: 'Booking', amount: 5_000, quantity: 1 }],
    billing_data: {
      first_name: 'Maryam',
      last_name: 'NA',
      email: 'guest@example.com',
      phone_number: phoneOf(number),
    },
    special_reference: `OD${number}-1`,
    extras: { order_number: number },
    expiration: 3_600,
    notification_url: 'http://localhost:9/callback',
    redirection_url: 'http://localhost:9/thank-you',
  }
}

/** Each round opens the panel in a new browser context. */
async function measure(visits: Visits, url: string, orders: number, rounds: number): Promise<PanelLine[]> {
  const times = new Map<string, number[]>()
  for (let round = 1; round <= rounds; round += 1) {
    const visit = await visits.open({ url, language: 'en', width: 1280 })
    const { page } = visit
    const timed = async (what: string, work: () => Promise<unknown>) => {
      const startedAt = performance.now()
      await work()
      times.set(what, [...(times.get(what) ?? []), performance.now() - startedAt])
    }
    const wanted = 1 + Math.floor((orders * round) / (rounds + 1))
    await timed('panel opened', async () => {
      await page.goto('/#/orders')
      await page.locator('[data-row]').first().waitFor()
    })
    await timed('order found by its phone', async () => {
      await page.getByRole('searchbox').fill(phoneOf(wanted))
      await page.getByText('1 order', { exact: true }).waitFor()
    })
    await timed('its story opened', async () => {
      await page.locator('[data-row]').first().click()
      await page.locator('.story').filter({ hasText: 'Card' }).first().waitFor()
    })
    await page.goto('/#/orders')
    await page.getByRole('searchbox').fill('')
    await timed('messages opened', async () => {
      await page.getByRole('link', { name: 'Messages', exact: true }).click()
      await page.getByText(`about order OD-${orders}`, { exact: false }).first().waitFor()
    })
    await timed('messages found by their order', async () => {
      await page.getByRole('searchbox').fill(`OD-${wanted}`)
      await page.getByText(`${messagesPerOrder} messages`, { exact: true }).waitFor()
    })
    await visit.close()
  }
  return [...times].map(([what, all]) => ({
    orders,
    what,
    median: median(all),
    slowest: Math.max(...all),
  }))
}

export function panelTable({ lines }: PanelResult): string {
  return tableOf(
    ['orders', 'messages', 'what', 'median ms', 'slowest ms'],
    lines.map((line) => [
      String(line.orders),
      String(line.orders * messagesPerOrder),
      line.what,
      figure(line.median),
      figure(line.slowest),
    ]),
  )
}
