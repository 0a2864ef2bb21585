import { describe, expect, it } from 'vitest'
import type { WorkList, WorkRow } from '#shared/desk/work/work.schemas.ts'
import { firstPlace, nextList, pressOf, toneOfAge } from './work.rules.ts'

const list = (kind: WorkList['kind'], count: number, late = 0): WorkList => ({
  kind,
  count,
  late,
  free: count,
  oldest: null,
  nextDueAt: null,
})

describe('the day begins', () => {
  const lists = [list('labels', 9, 1), list('bags', 7, 3), list('claims', 4)]

  it.each([
    [['support'], 'bags'],
    [['money'], 'approvals'],
    [['money', 'support'], 'approvals'],
    [['lead', 'money'], 'bags'],
  ] as const)('of %s with %s', (roles, place) => expect(firstPlace(lists, roles)).toBe(place))

  it('of a lead with the longest list where nothing is late, with bags where nothing is there', () => {
    expect(firstPlace([list('bags', 1), list('claims', 4)], ['lead'])).toBe('claims')
    expect(firstPlace([list('labels', 0)], ['lead'])).toBe('bags')
  })

  it('and goes on with the reddest list that is not empty', () => {
    expect(nextList(lists, 'bags')?.kind).toBe('labels')
    expect(nextList([list('bags', 7), list('claims', 0)], 'bags')).toBeUndefined()
  })
})

it('a row is amber from half of its limit and red from its end', () => {
  const row = { since: '2027-05-18T10:00:00.000Z', dueAt: '2027-05-18T14:00:00.000Z' }
  const at = (time: string) => toneOfAge(row, Date.parse(`2027-05-18T${time}:00.000Z`))
  expect([at('11:59'), at('12:00'), at('13:59'), at('14:00')]).toEqual(['plain', 'waiting', 'waiting', 'bad'])
})

it('what a colleague moved within the hour is asked for, what stands still is taken', () => {
  const taken = (isYou: boolean, isStale: boolean) => ({ taken: { isYou, isStale } as WorkRow['taken'] })
  expect(pressOf({ taken: null })).toBe('take')
  expect(pressOf(taken(false, false))).toBe('ask')
  expect(pressOf(taken(false, true))).toBe('take')
  expect(pressOf(taken(true, true))).toBe('none')
})
