import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { manualClock, second } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { measured } from '#test/kit/gateway/measured.ts'

it('airway bills are made while the tracking of the courier is down: each has a breaker of its own', async () => {
  const clock = manualClock()
  const core = await openCore({ database: await openMemory(clock), clock })
  const { setTimeout: realTimeout } = globalThis
  // The pauses between tries are skipped.
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => realTimeout(run, ms < second ? 0 : ms))
  for (let calls = 0; calls < 10; calls += 1)
    await expect(core.providers.tracking.track(['231200000001'])).rejects.toThrow()
  expect(await measured(core, 'amtiati_external_breaker_open{service="tracking"}')).toBe(1)
  expect(await measured(core, 'amtiati_external_breaker_open{service="shipping"}')).toBe(0)
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
