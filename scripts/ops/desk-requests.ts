import { requestApproval } from '#server/desk/actions/requests.ts'
import { rolesAtTerminal } from '#shared/desk/actions/actions.schemas.ts'
import { coreOf, originOf, type RequestApproval, readColleague } from './context.ts'

/** Requests an approval in the name of a colleague, who confirms the request at the desk. */
export const requestAtDesk: RequestApproval = async (context, order, wanted) => {
  const colleague = await readColleague(context)
  if (!rolesAtTerminal[wanted.act]?.some((role) => colleague.roles.includes(role)))
    throw new Error(`${colleague.name} has no role that asks for this, so nothing was changed`)
  const terminal = { user: context.user, as: colleague }
  const id = await requestApproval(coreOf(context), originOf(context), order, wanted, terminal)
  return [
    `asked for as request ${id}, unproven: it is done once ${colleague.name} confirms it at the desk and another person approves it, within 3 days`,
  ]
}
