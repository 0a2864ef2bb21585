import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ExternalService } from '#server/platform/external-service.ts'
import type { HttpResponse } from '#server/platform/http-client.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import {
  callbackSignatureText,
  messagingPaths,
  messagingServicePattern,
} from '#shared/wire/messaging/messaging.wire.ts'
import { readList, readMessage, readSend, readStatus } from './messages.provider.map.ts'
import type { MessageProvider } from './messages.provider.ts'

export interface MessagingAccount {
  readonly baseUrl: string
  readonly accountSid: string
  readonly authToken: string
  readonly from: string
}

const timeoutMs = 10_000
const mostBytes = 1024 * 1024
const pageSize = 50

/** Twilio Programmable Messaging: docs/wires/messages.md */
export function createMessageProvider(account: MessagingAccount, service: ExternalService): MessageProvider {
  const { baseUrl, accountSid, authToken, from } = account
  const headers = {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  }
  const sender = messagingServicePattern.test(from) ? { MessagingServiceSid: from } : { From: from }

  const get = (operation: string, path: string) =>
    service.read({ operation, method: 'GET', url: `${baseUrl}${path}`, headers, timeoutMs, mostBytes })

  const usable = <T>(reading: T | 'unreadable', { status }: HttpResponse): T => {
    if (reading === 'unreadable') throw new Error(`messaging answered ${status} in an unknown form`)
    return reading
  }

  return {
    async send({ phone, body, statusUrl }) {
      try {
        const answer = await service.request({
          operation: 'send-message',
          method: 'POST',
          url: `${baseUrl}${messagingPaths.messages(accountSid)}`,
          headers,
          form: { To: phone, ...sender, Body: body, StatusCallback: statusUrl },
          timeoutMs,
          mostBytes,
        })
        return readSend(answer)
      } catch (error) {
        const isCertain = error instanceof UnreachableError
        if (isCertain || error instanceof OutcomeUnknownError)
          return { outcome: 'unavailable', isCertain, cause: error }
        throw error
      }
    },
    async find(search) {
      // A message that waits at the provider has no `DateSent` to filter by.
      const query = new URLSearchParams({ To: search.phone, PageSize: String(pageSize) })
      const answer = await get('find-message', `${messagingPaths.messages(accountSid)}?${query}`)
      return usable(readList(answer, search), answer)
    },
    async read(ref) {
      const answer = await get('read-message', messagingPaths.message(accountSid, encodeURIComponent(ref)))
      return usable(readMessage(answer), answer)
    },
    readCallback(url, fields, signature) {
      const expected = createHmac('sha1', authToken).update(callbackSignatureText(url, fields)).digest()
      const given = Buffer.from(signature ?? '', 'base64')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { outcome: 'forged' }
      const report = fields.AccountSid === accountSid ? readStatus(fields) : undefined
      return report ? { outcome: 'report', report } : { outcome: 'unreadable' }
    },
  }
}
