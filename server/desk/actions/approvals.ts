import type { Core } from '#server/core.ts'
import { disclose } from '#server/desk/audit/views.ts'
import { readOrder } from '#server/features/operators/operators.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { rolesIn } from '#server/platform/staff-roles.ts'
import { overtakenBy } from '#shared/desk/actions/actions.errors.ts'
import type { Approval, ChangedReceiver } from '#shared/desk/actions/actions.schemas.ts'
import type { Reveal } from '#shared/desk/audit/audit.schemas.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { actionRules, bad, type Check, type Facts, note, overtakingOf, userIdOf } from './actions.rules.ts'
import { readForDecision } from './approval-facts.ts'
import { type ApprovalRow, listWaiting } from './approvals.queries.ts'
import { checkText } from './approvals.texts.ts'
import { findRow, isAsker, isUnconfirmed, notFound } from './decisions.ts'

export async function listApprovals(core: Core, staff: Staff, language: LanguageCode, cursor?: string) {
  const limit = actionRules.listed
  const after = cursor === undefined ? undefined : Number(cursor)
  const rows = await listWaiting(core, core.clock.now(), { after, limit })
  const read = await readForDecision(core, rows)
  const approvals = rows.flatMap((row): Approval[] => {
    const now = read.get(row.id)
    if (!now) return []
    const changed = overtakingOf(JSON.parse(row.facts) as Facts, now.facts)
    return [
      {
        approvalId: row.id,
        orderId: row.order_id,
        act: row.act,
        about: row.about || null,
        amountHalalas: row.halalas,
        reason: ownerText(row) ?? row.reason,
        askedBy: row.asked_by,
        askedRoles: rolesIn(row.asked_roles),
        askedAt: isoOf(row.asked_at),
        expiresAt: isoOf(row.expires_at),
        isMine: isAsker(staff, row),
        terminal:
          row.terminal_user === null
            ? null
            : { user: row.terminal_user, isConfirmed: row.confirmed_at !== null },
        changed: changed === undefined ? null : overtakenBy[changed][language],
        checks: [...terminalChecks(row), ...now.checks].map((check) => ({
          tone: check.tone,
          text: checkText(check, language),
        })),
        receiver: personIn(row, masks),
      },
    ]
  })
  const last = rows.at(-1)
  return { approvals, nextCursor: rows.length === limit && last ? String(last.id) : null }
}

/** Discloses the name and phone in a request. @throws Failure APPROVAL_NOT_FOUND, and the errors of `disclose` */
export async function revealApproval(
  core: Core,
  by: Staff,
  id: number,
  why: Reveal,
): Promise<ChangedReceiver> {
  const row = await findRow(core, id)
  const waits = row.state === 'waiting' && row.expires_at > core.clock.now()
  const person = waits ? personIn(row, noMasks) : null
  if (person === null) throw notFound()
  const about = `approval ${id}`
  const { order_id: orderId } = row
  if (orderId === null) await disclose(core, { by, userId: userIdOf(row), about }, why)
  else {
    const { user_id: userId } = await readOrder(core, orderId)
    await disclose(core, { by, orderId, userId, about }, why)
  }
  return person
}

const ownerText = ({ act, payload }: ApprovalRow) =>
  act === 'compensation' && payload !== null ? (JSON.parse(payload) as { text?: string }).text : undefined

function terminalChecks(row: ApprovalRow): Check[] {
  if (row.terminal_user === null) return []
  const data = { who: row.asked_by, user: row.terminal_user }
  return [isUnconfirmed(row) ? bad('unconfirmed', data) : note('confirmed', data)]
}

const masks = { name: maskedName, phone: maskedPhone }
const noMasks = { name: (text: string) => text, phone: (text: string) => text }

function personIn({ act, payload }: ApprovalRow, { name, phone }: typeof noMasks): ChangedReceiver | null {
  if (payload === null) return null
  if (act === 'number') return { number: phone((JSON.parse(payload) as { phone: string }).phone) }
  if (act !== 'receiver') return null
  const { receiver, secondPhone } = JSON.parse(payload) as ReceiverChange
  return {
    ...(receiver !== undefined && {
      receiver: receiver && {
        name: name(receiver.name),
        phone: receiver.phone === undefined ? null : phone(receiver.phone),
      },
    }),
    ...(secondPhone !== undefined && { secondPhone: secondPhone && phone(secondPhone) }),
  }
}
