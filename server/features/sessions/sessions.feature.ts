import type { OtpService } from '#server/features/otp/otp.service.ts'
import type { PartnerService } from '#server/features/partner/partner.service.ts'
import type { Core } from '#server/platform/core.ts'
import { sessionsRoutes } from './sessions.routes.ts'
import {
  createSessions,
  createUsers,
  sessionCookiesFor,
  sessionScope,
  type UsersService,
} from './sessions.service.ts'
import { createSessionsStore } from './sessions.store.ts'

/** Pilgrims, without their sessions. */
export function registerUsers({ database }: Core): UsersService {
  return createUsers({ store: createSessionsStore(database) })
}

interface SessionsNeeds {
  readonly otp: OtpService
  readonly partner: Pick<PartnerService, 'findAgentByPhone'>
}

/** Sign-in, and who is signed in. */
export function registerSessions(core: Core, { otp, partner }: SessionsNeeds) {
  const { config, database } = core
  const sessions = createSessions({
    ...core,
    store: createSessionsStore(database),
    otp,
    findAgentByPhone: async (phone) => {
      const agent = await partner.findAgentByPhone(phone)
      return agent && { partnerAgentId: agent.id, name: agent.name, phone }
    },
    offersMessages: config.MESSAGES_ENABLED,
  })
  const cookies = sessionCookiesFor(config.PUBLIC_URL)
  core.routes.push((app, scope) => sessionsRoutes(app, scope, sessions, otp, cookies))
  core.retention.push({ event: 'sessions.expired-deleted', batch: sessions.deleteExpired })
  return { ...sessions, scope: sessionScope(sessions, cookies) }
}
