import { expect, it } from 'vitest'
import { readTyped } from './receiver.rules.ts'

const empty = { name: '', phone: '', secondPhone: '' }

it.each([
  ['nothing, where the owner collects it', {}, {}],
  ['another number alone', { secondPhone: ' 05 1234 5678 ' }, { secondPhone: '05 1234 5678' }],
  ['a name without its spaces', { name: ' Sara  Omar ' }, { receiver: { name: 'Sara Omar' } }],
  [
    'a name, and numbers in Arabic digits',
    { name: 'علي', phone: '٠٥١٢٣٤٥٦٧٨', secondPhone: '+৬২ 812-3456-789' },
    { receiver: { name: 'علي', phone: '0512345678' }, secondPhone: '+62 812-3456-789' },
  ],
])('the form says %s', (_, typed, named) => {
  expect(readTyped({ ...empty, ...typed })).toEqual({ named, faults: {} })
})

it.each([
  ['a number without a name', { phone: '0512345678' }, { name: 'NAME_REQUIRED' }],
  ['a name of digits', { name: '12345' }, { name: 'NAME_INVALID' }],
  ['a short number', { name: 'Sara', phone: '05123' }, { phone: 'PHONE_INVALID' }],
  ['a foreign number without its country', { secondPhone: '081234567890' }, { secondPhone: 'PHONE_INVALID' }],
  ['words', { secondPhone: 'my brother' }, { secondPhone: 'PHONE_INVALID' }],
])('the form refuses %s', (_, typed, faults) => {
  expect(readTyped({ ...empty, ...typed }).faults).toEqual(faults)
})
