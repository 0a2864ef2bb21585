import { expect, it } from 'vitest'
import { readFailure, type SmtpError } from './mail.provider.map.ts'

const rcpt = (responseCode: number, response: string): SmtpError => ({
  code: 'EENVELOPE',
  command: 'RCPT TO',
  responseCode,
  response,
})

it.each<[string, SmtpError, string]>([
  ['no such mailbox', rcpt(550, '550 5.1.1 user unknown'), 'phone 550'],
  ['no such domain', rcpt(550, '550 5.1.2 bad destination'), 'phone 550'],
  ['a disabled mailbox', rcpt(550, '550 5.2.1 mailbox disabled'), 'phone 550'],
  ['a mailbox that moved', rcpt(551, '551 5.1.6 moved'), 'phone 551'],
  ['a domain without mail', rcpt(556, '556 5.1.10 null MX'), 'phone 556'],
  // These blame us or are temporary, so they must not cost an address.
  ['a sender that may not relay', rcpt(550, '550 5.7.1 relaying denied'), 'setup 550'],
  [
    'a sender that may not relay, without an enhanced code',
    rcpt(550, '550 relay not permitted'),
    'setup 550',
  ],
  ['a refused sender, told at the recipient', rcpt(550, '550 5.1.8 bad sender'), 'setup 550'],
  ['an ambiguous recipient', rcpt(553, '553 5.1.4 ambiguous'), 'setup 553'],
  ['a code that is quoted in the text', rcpt(550, '550 5.7.1 see 5.1.1'), 'setup 550'],
  ['a full mailbox', rcpt(552, '552 5.2.2 mailbox full'), 'setup 552'],
  ['a refused sender', { ...rcpt(550, '550 5.1.8 bad sender'), command: 'MAIL FROM' }, 'setup 550'],
  ['a refused letter', { ...rcpt(554, '554 5.6.0 content'), command: 'DATA' }, 'setup 554'],
  ['greylisting', rcpt(451, '451 4.7.1 try later'), 'busy 451'],
  ['our credentials', { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 bad' }, 'account 535'],
])('takes %s for what it is', (_, error, expected) => {
  const read = readFailure(error, true)
  expect(read.outcome === 'refused' && `${read.fault.reason} ${read.fault.code}`).toBe(expected)
})

it.each<[boolean, SmtpError]>([
  [false, { code: 'ECONNECTION', command: 'CONN' }],
  [true, { code: 'ETIMEDOUT', command: 'CONN' }],
])('knows whether a letter without an answer may have been taken (%s)', (hasBegun, error) => {
  expect(readFailure(error, hasBegun)).toEqual({ outcome: 'unavailable', isCertain: !hasBegun })
})
