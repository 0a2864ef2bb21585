import { expect, it } from 'vitest'
import { eventData, eventKinds } from '#server/features/history/history.kinds.ts'
import { auditActionNames } from '#shared/desk/audit/audit.names.ts'

it('every kind of event of staff and operators has a name in the languages of the desk, and every name is of a kind', () => {
  // Their events say what they changed; owners write messages of claims.
  const changing = eventKinds.filter(
    (kind) => 'changed' in eventData[kind].properties && kind !== 'claim-message',
  )
  expect(changing.length).toBeGreaterThan(30)
  const approvals = eventKinds.filter((kind) => kind.startsWith('approval-'))
  const kinds = [...changing, ...approvals, 'note', 'compensated', 'view-refused']
  expect(kinds.filter((kind) => !Object.hasOwn(auditActionNames, kind))).toEqual([])
  const known: readonly string[] = eventKinds
  expect(Object.keys(auditActionNames).filter((name) => !known.includes(name))).toEqual([])
})
