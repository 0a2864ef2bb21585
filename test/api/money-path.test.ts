import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLabel, readLabelPdf } from '#shared/orders/orders.operations.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { eventually } from '#test/kit/eventually.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { readLabel as readPrintedLabel } from '#test/kit/pdf.ts'
import { newPerson } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await ownStack()
})
afterAll(() => stack?.close())

const awbsOf = (order: Order) => order.bookings.map(({ awb }) => awb).filter((awb) => awb !== null)

describe('from the first code to the label', () => {
  it('signs up, books, pays, gets one airway bill and reads it on the label', async () => {
    const pilgrim = newPerson(stack, { lang: 'en' })
    const user = await pilgrim.signUp('+966551000001', 'Maryam Al-Harbi')
    expect(user).toMatchObject({ name: 'Maryam Al-Harbi', phone: '+966551000001' })

    const started = await pilgrim.checkout(user.id)
    expect(await pilgrim.order(started.orderId)).toMatchObject({
      orderId: started.orderId,
      status: 'PENDING_PAYMENT',
      type: 'FROM_MINA',
      bookings: [{ awb: null }],
    })

    const { callbacks } = await stack.control.replay(started.orderId, 'success')
    expect(callbacks.map(({ status }) => status)).toEqual([200])
    const paid = await pilgrim.order(started.orderId)
    expect(paid.status).toBe('PAID')
    expect(paid.transactionId).toMatch(/^\d+$/)

    const awb = await eventually(async () => awbsOf(await pilgrim.order(started.orderId))[0])
    expect(awb).toMatch(/^\d{12}$/)
    const mine = (await stack.control.shipments()).filter((shipment) => shipment.awb === awb)
    expect(mine).toHaveLength(1)
    expect(mine[0]?.createdAt).toHaveLength(1)

    const { bytes, headers } = await eventually(async () => {
      const answer = await pilgrim.send('GET', `/api/orders/barcode/${awb}.pdf?download=1`)
      return answer.status === 200 ? answer : undefined
    })
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.pdf"$/)
    const label = await readPrintedLabel(bytes)
    expect(label.barcode).toBe(awb)
    expect(label.text.replace(/\s/g, '')).toContain(awb)

    const { awbFile } = await pilgrim.call(readLabel, { params: { awb } })
    expect(Buffer.from(awbFile, 'base64').equals(Buffer.from(bytes))).toBe(true)
    const shown = await pilgrim.send('GET', readLabelPdf.path.replace(':awb', awb))
    expect(shown.headers.get('content-disposition')).toMatch(/^inline/)

    expect((await pilgrim.orders(user.id)).map(({ orderId, status }) => ({ orderId, status }))).toEqual([
      { orderId: started.orderId, status: 'PAID' },
    ])
  })
})
