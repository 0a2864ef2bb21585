import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { manualClock, second } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import type { Providers } from './core.ts'
import type { CodeOrder } from './features/otp/otp.provider.ts'

const codeBy =
  (channel: CodeOrder['channel']) =>
  ({ otp }: Providers) =>
    otp.send({ to: '+966512345678', channel, language: 'ar', role: 'user' })

it.each<[service: string, call: (providers: Providers) => Promise<unknown>]>([
  ['tracking', ({ tracking }) => tracking.track(['231200000001'])],
  ['otp', codeBy('sms')],
  ['otp_whatsapp', codeBy('whatsapp')],
  ['otp_call', codeBy('call')],
  ['otp_email', codeBy('email')],
  ['otp_delivery', ({ otp }) => otp.readDelivery('VE1')],
])('calls that fail at %s open its own circuit breaker and no other', async (service, call) => {
  const clock = manualClock()
  const core = await openCore({ database: await openMemory(clock), clock })
  const { setTimeout: realTimeout } = globalThis
  // The pauses between tries are skipped.
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => realTimeout(run, ms < second ? 0 : ms))
  for (let calls = 0; calls < 10; calls += 1) await call(core.providers).catch(() => undefined)
  const metrics = await core.metrics.registry.getSingleMetricAsString('amtiati_external_breaker_open')
  const open = [...metrics.matchAll(/\{service="(\w+)"\} 1$/gm)].map(([, name]) => name)
  expect(open).toEqual([service])
})

it('a mail server of another machine gets no letter without TLS', async () => {
  let letters = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      letters += 1
      stream.resume().on('end', () => callback())
    },
  })
  const opened = server.listen(0, '127.0.0.1')
  await once(opened, 'listening')
  onTestFinished(() => void server.close())
  const { port } = opened.address() as AddressInfo
  const clock = manualClock()
  const database = await openMemory(clock)
  const letter = {
    to: 'maryam@example.com',
    subject: 'subject',
    text: 'text',
    html: '<p>text',
    files: [],
    pictures: [],
    messageId: '<1.1.1@example.com>',
  }
  const sendTo = async (host: string) => {
    const config = { SMTP_URL: `smtp://${host}:${port}`, SMTP_FROM: 'no-reply@example.com' }
    const core = await openCore({ database, clock }, { config })
    return core.providers.mail?.send(letter)
  }
  expect(await sendTo('127.0.0.1')).toMatchObject({ outcome: 'accepted' })
  // The same address, in a form that does not count as this machine.
  expect(await sendTo('[::ffff:127.0.0.1]')).toMatchObject({ outcome: 'refused' })
  expect(letters).toBe(1)
})
