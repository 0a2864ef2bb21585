import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import { timeSince } from '#server/platform/database/leases.ts'
import type { Retention } from '#server/platform/retention.ts'
import { createWorker, type Worker } from '#server/platform/worker.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { sendMessage } from './message-sending.ts'
import type { Job } from './message-steps.ts'
import { eraseTexts, leaseMessage } from './messages.queries.ts'
import { messageRules } from './messages.rules.ts'

/** No event wakes the worker, so it looks for messages this often. */
const roundMs = 1_000
const textsPerBatch = 100

export const outbox = (core: Core): Worker =>
  createWorker<Job>({
    name: 'messages',
    async claim() {
      const lease = core.random.uuid()
      const message = await leaseMessage(core, lease)
      if (!message) return undefined
      return {
        id: message.id,
        lease,
        message,
        now: timeSince(message.claimed_at, core.clock),
      }
    },
    run: (job) => sendMessage(core, job),
    parallel: messageRules.atOnce,
    roundMs,
    log: core.log,
  })

export const messagesRetention = (core: Core): Retention[] => [
  {
    event: 'messages.texts-deleted',
    async batch(now) {
      const rows = await eraseTexts(core, now - daysMs(retentionDays.messageTexts), textsPerBatch)
      return {
        rows,
        more: rows === textsPerBatch,
      }
    },
  },
  {
    event: 'messages.deleted',
    table: 'messages',
    by: 'created_at',
    keepMs: daysMs(retentionDays.messages),
  },
]
