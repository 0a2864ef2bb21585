import type { Core } from '#server/core.ts'
import { eraseFormerPhones } from '#server/features/history/history.ts'
import type { OtpService } from '#server/features/otp/otp.service.ts'
import type { PartnerService } from '#server/features/partner/partner.feature.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { confirmationsRoutes, confirmedBy } from './confirmations.routes.ts'
import { emailsRoutes } from './emails.routes.ts'
import { createEmails } from './emails.service.ts'
import { createNumberChanges, type NumberChanges } from './number-changes.service.ts'
import { createNumberChangesStore } from './number-changes.store.ts'
import { sessionsRoutes } from './sessions.routes.ts'
import {
  createSessions,
  createUsers,
  type SessionsService,
  sessionCookiesFor,
  sessionScope,
  type UsersService,
} from './sessions.service.ts'
import { createSessionsStore } from './sessions.store.ts'

/** Pilgrims, without their sessions. */
export function registerUsers({ database }: Core): UsersService {
  return createUsers({ database, store: createSessionsStore(database) })
}

const phonesPerBatch = 100

interface SessionsNeeds {
  readonly otp: OtpService
  readonly partner: Pick<PartnerService, 'findAgentByPhone'>
}

/** Sign-in, and who is signed in. */
export function registerSessions(core: Core, { otp, partner }: SessionsNeeds) {
  const { config, database } = core
  const store = createSessionsStore(database)
  const changes = createNumberChangesStore(database)
  const numbers = createNumberChanges({ ...core, store, changes, otp })
  const sessions = createSessions({
    ...core,
    store,
    numbers,
    otp,
    findAgentByPhone: async (phone) => {
      const agent = await partner.findAgentByPhone(phone)
      return agent && { partnerAgentId: agent.id, name: agent.name, phone }
    },
    offersMessages: config.MESSAGES_ENABLED,
    offersEmail: config.SMTP_URL !== undefined,
  })
  const cookies = sessionCookiesFor(config.PUBLIC_URL)
  core.routes.push((app, scope) => {
    sessionsRoutes(app, scope, sessions, otp, cookies)
    confirmationsRoutes(app, scope, sessions.confirmations, cookies)
  })
  core.retention.push({ event: 'sessions.expired-deleted', batch: sessions.deleteExpired })
  core.retention.push({
    event: 'sessions.number-changes-deleted',
    table: 'number_changes',
    by: 'ends_at',
    keepMs: 0,
  })
  const scope = sessionScope(sessions, cookies)
  return { ...sessions, numbers, scope, confirmed: confirmedBy(scope, sessions.confirmations, cookies) }
}

interface EmailsNeeds {
  readonly otp: OtpService
  readonly sessions: SessionsService & { readonly numbers: NumberChanges }
}

/** Addresses of users, and accounts whose number is gone. */
export function registerEmails(core: Core, { otp, sessions }: EmailsNeeds): void {
  const { config, database } = core
  const emails = createEmails({
    ...core,
    store: createSessionsStore(database),
    otp,
    sessions,
    numbers: sessions.numbers,
    isOffered: config.SMTP_URL !== undefined,
    allowedCountries: config.ALLOWED_PHONE_COUNTRIES,
  })
  const cookies = sessionCookiesFor(config.PUBLIC_URL)
  core.routes.push((app, scope) => emailsRoutes(app, scope, emails, cookies))
  const keepMs = daysMs(retentionDays.messageTexts)
  core.retention.push({
    event: 'sessions.former-phones-deleted',
    batch: (now) => eraseFormerPhones({ database }, now - keepMs, phonesPerBatch),
  })
}
