import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  messagingErrorCodes as codes,
  type Message,
  type MessageList,
  type MessagingError,
} from '#shared/wire/messaging/messaging.wire.ts'
import { basicAuthorization, isEqual } from '../platform/credentials.ts'
import { type FormFields, readForms } from '../platform/form-body.ts'
import { messageOf, refusalStatus } from './messaging.scenarios.ts'
import type { MessagingState, SmsAccount, SmsRecord } from './messaging.state.ts'

/** Times as the service writes them: RFC 2822, to the second. */
const timeOf = (epochMs: number): string => new Date(epochMs).toUTCString().replace('GMT', '+0000')

function refuse(reply: FastifyReply, code: number): FastifyReply {
  const status = refusalStatus[code] ?? 400
  return reply.code(status).send({
    code,
    message: messageOf(code),
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  } satisfies MessagingError)
}

/** Latin text has 160 characters in one part, 153 in several; any other has 70 and 67. */
function segmentsOf(text: string): number {
  const [single, several] = /^[\x20-\x7e\r\n]*$/.test(text) ? [160, 153] : [70, 67]
  return text.length <= single ? 1 : Math.ceil(text.length / several)
}

function messageObject(message: SmsRecord, accountSid: string): Message {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`
  return {
    sid: message.sid,
    account_sid: accountSid,
    to: message.to,
    from: message.from,
    messaging_service_sid: message.serviceSid,
    body: message.body,
    status: message.status,
    direction: 'outbound-api',
    num_segments: String(segmentsOf(message.body)),
    num_media: '0',
    error_code: message.errorCode,
    error_message: message.errorCode === null ? null : messageOf(message.errorCode),
    price: null,
    price_unit: 'USD',
    date_created: timeOf(message.createdAt),
    date_updated: timeOf(message.updatedAt),
    date_sent: message.sentAt === null ? null : timeOf(message.sentAt),
    api_version: '2010-04-01',
    uri: `${uri}.json`,
    subresource_uris: { media: `${uri}/Media.json` },
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Twilio Programmable Messaging below `/2010-04-01`. */
export async function registerMessagingRoutes(
  app: FastifyInstance,
  { state, account }: { state: MessagingState; account: SmsAccount },
): Promise<void> {
  readForms(app)
  const { accountSid, authToken } = account
  const authorization = basicAuthorization(accountSid, authToken)

  app.addHook('preHandler', async (request, reply) => {
    const { account } = request.params as { account?: string }
    if (!isEqual(request.headers.authorization ?? '', authorization) || account !== accountSid)
      return refuse(reply, codes.authenticate)
  })
  app.setNotFoundHandler((_request, reply) => refuse(reply, codes.notFound))

  app.post<{ Params: { account: string }; Body?: FormFields }>(
    '/2010-04-01/Accounts/:account/Messages.json',
    { config: { operation: 'send-message' } },
    async (request, reply) => {
      const { To, From, MessagingServiceSid, Body, StatusCallback } = request.body ?? {}
      const sent = state.send({
        to: text(To),
        from: text(From),
        serviceSid: text(MessagingServiceSid),
        body: text(Body),
        statusCallback: text(StatusCallback),
      })
      if ('refusal' in sent) return refuse(reply, sent.refusal)
      return reply.code(201).send(messageObject(sent, accountSid))
    },
  )

  app.get<{ Querystring: Record<string, unknown> }>(
    '/2010-04-01/Accounts/:account/Messages.json',
    { config: { operation: 'list-messages' } },
    async (request) => {
      const { To, From, PageSize } = request.query
      const size = Math.min(Math.max(Number(PageSize) || 50, 1), 1_000)
      const found = state.list(text(To), size).filter(({ from }) => !text(From) || from === From)
      const [, uri = ''] = /(\/2010-04-01\/.*)$/.exec(request.url) ?? []
      return {
        messages: found.map((message) => messageObject(message, accountSid)),
        page: 0,
        page_size: size,
        start: 0,
        end: Math.max(0, found.length - 1),
        uri,
        first_page_uri: uri,
        next_page_uri: null,
        previous_page_uri: null,
      } satisfies MessageList
    },
  )

  app.get<{ Params: { file: string } }>(
    '/2010-04-01/Accounts/:account/Messages/:file',
    { config: { operation: 'read-message' } },
    async (request, reply) => {
      const message = state.find(request.params.file.replace(/\.json$/, ''))
      return message === undefined ? refuse(reply, codes.notFound) : messageObject(message, accountSid)
    },
  )
}
