import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { wireSamples } from '#test/kit/gateway/wire-samples.ts'
import {
  callbackSignatureText,
  Message,
  MessageList,
  MessageRequest,
  MessagingError,
  messageSidPattern,
  messageStatuses,
  StatusCallback,
} from './messaging.wire.ts'

const { readSample } = wireSamples(import.meta.url, {
  'message-request': MessageRequest,
  message: Message,
  'message-list': MessageList,
  'status-callback': StatusCallback,
  'messaging-error': MessagingError,
})

describe('samples of the messaging wire', () => {
  it('hold ids of the published shape and statuses of the published list', () => {
    const sample = readSample('message.queued.json')
    expect(sample.sid).toMatch(messageSidPattern)
    expect(messageStatuses).toContain(sample.status)
  })
})

describe('the signature of a status callback', () => {
  const sign = (url: string, fields: Readonly<Record<string, string>>) =>
    createHmac('sha1', '12345').update(callbackSignatureText(url, fields)).digest('base64')

  it('agrees with the vector that the provider publishes', () => {
    expect(
      sign('https://mycompany.com/myapp.php?foo=1&bar=2', {
        CallSid: 'CA1234567890ABCDE',
        From: '+12349013030',
        To: '+18005551212',
        Caller: '+12349013030',
        Digits: '1234',
      }),
    ).toBe('0/KCTR6DLpKmkAf8muzZqo1nDgQ=')
  })

  it('agrees with a vector over our own address', () => {
    expect(
      sign('https://example.com/api/messages/callback?ref=7', {
        SmsSid: 'SM0123456789abcdef0123456789abcdef',
        MessageSid: 'SM0123456789abcdef0123456789abcdef',
        AccountSid: 'AC0123456789abcdef0123456789abcdef',
        SmsStatus: 'delivered',
        MessageStatus: 'delivered',
        To: '+966500000001',
        From: 'Amtiati',
        ApiVersion: '2010-04-01',
      }),
    ).toBe('WVd+a6mGIbNMxg5Zfa5PBpZYKWA=')
  })
})
