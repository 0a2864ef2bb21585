import { expect, it } from 'vitest'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import { operationHref } from './operation-href.ts'

it('fills the parameters into the path of the operation', () => {
  expect(operationHref(readLabelPdf, { awb: '290012345678' })).toBe('/api/orders/barcode/290012345678.pdf')
  expect(operationHref(readLabelPdf, { awb: '290012345678' }, { download: '1' })).toBe(
    '/api/orders/barcode/290012345678.pdf?download=1',
  )
})

it('encodes parameters', () => {
  expect(operationHref(readLabelPdf, { awb: '../x?y' })).toBe('/api/orders/barcode/..%2Fx%3Fy.pdf')
  expect(() => operationHref(readLabelPdf, {})).toThrow('awb')
})
