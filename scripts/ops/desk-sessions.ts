import { endStaffSessions } from '#server/desk/staff/staff-sessions.ts'
import { coreOf, readColleague, record, type Verb } from './context.ts'
import { requireActor } from './sessions.ts'

/** Ends the sessions of all staff, and releases the rows that they have taken. */
export const endDeskSessions: Verb = (args, options) => {
  requireActor(args, options)
  return async (context) => {
    if (context.hasDesk) await readColleague(context)
    await context.confirm('End the sessions of all staff at the desk?')
    const ended = await context.database.transaction(async () => {
      const count = await endStaffSessions(coreOf(context))
      await record(context, { kind: 'all-sessions-ended', about: 'desk', changed: { ended: [null, count] } })
      return count
    })
    return `${ended} sessions of the desk ended`
  }
}
