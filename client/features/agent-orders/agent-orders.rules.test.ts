import { describe, expect, it } from 'vitest'
import {
  cityOptions,
  type Filters,
  isFiltering,
  readFilters,
  searchedWords,
  totalOf,
} from './agent-orders.rules.ts'

const none: Filters = { state: null, city: null, order: null }

describe('filters', () => {
  it('are read from the address; unknown values are ignored', () => {
    expect(readFilters(new URLSearchParams('state=refused&city=Riyadh&order=oldest'))).toEqual({
      state: 'refused',
      city: 'Riyadh',
      order: 'oldest',
    })
    expect(readFilters(new URLSearchParams(`state=PAID&city=&order=newest`))).toEqual(none)
    expect(readFilters(new URLSearchParams(`state=received&city=${'x'.repeat(101)}&order=`))).toEqual(none)
  })

  it.each([
    [{ state: 'waiting' }, true],
    [{ city: 'Riyadh' }, true],
    [{ order: 'oldest' }, false],
    [{}, false],
  ] as const)('%j leave something out: %s', (change, expected) => {
    expect(isFiltering({ ...none, ...change })).toBe(expected)
  })
})

it.each([
  ['', ''],
  ['  ', ''],
  ['+', ''],
  ['(', ''],
  [' Fatimah ', 'Fatimah'],
  ['+966', '+966'],
  ['٤', '٤'],
])('%j requests %j', (typed, words) => {
  expect(searchedWords(typed)).toBe(words)
})

it.each([
  [{}, 9],
  [{ state: 'waiting' }, 5],
  [{ state: 'refused' }, 3],
  [{ order: 'oldest' }, 9],
  [{ city: 'Riyadh' }, undefined],
] as const)('the counts know how many orders %j leave: %s', (change, total) => {
  expect(totalOf({ waiting: 5, received: 1, refused: 3 }, { ...none, ...change })).toBe(total)
})

describe('the offered cities', () => {
  it('are unique, with their names in the language', () => {
    expect(cityOptions(['Riyadh', 'Jeddah', 'Riyadh'], null, 'en')).toEqual([
      { value: 'Jeddah', text: 'Jeddah' },
      { value: 'Riyadh', text: 'Riyadh' },
    ])
    expect(cityOptions(['Riyadh', 'Jeddah'], null, 'ar')).toEqual([
      { value: 'Riyadh', text: 'الرياض' },
      { value: 'Jeddah', text: 'جدة' },
    ])
  })

  it('include the chosen one, also before they are loaded', () => {
    expect(cityOptions([], 'Riyadh', 'en')).toEqual([{ value: 'Riyadh', text: 'Riyadh' }])
    expect(cityOptions(['Riyadh'], 'Riyadh', 'en')).toHaveLength(1)
  })
})
