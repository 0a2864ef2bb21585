import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { Value } from 'typebox/value'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Problem } from '#shared/platform/problem.ts'
import { headerOf, openConnection } from '#test/kit/raw-http.ts'
import { answerUnreadable } from './unreadable-requests.ts'

async function exchange(bytes: string) {
  const app = Fastify({
    clientErrorHandler: answerUnreadable,
    http: { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 },
  })
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const connection = openConnection(`http://127.0.0.1:${port}`)
  connection.write(bytes)
  const answer = await connection.answer()
  await connection.ended
  if (!answer) throw new Error('there was no answer')
  return answer
}

describe('what is no request', () => {
  it.each([
    ['a word that is no method', 'FOO / HTTP/1.1\r\n\r\n', 400],
    [
      'a length and chunks',
      'GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['half of a request', 'GET / HTTP/1.1\r\nhost: ', 408],
  ])('is answered as a problem, and the connection ends: %s', async (_, bytes, status) => {
    const answer = await exchange(bytes)
    expect(answer.status).toBe(status)
    const problem: unknown = JSON.parse(answer.body.toString('utf8'))
    if (!Value.Check(Problem, problem)) throw new Error(answer.body.toString('utf8'))
    expect(problem.code).toBe('INVALID_REQUEST')
    expect(problem.requestId).toBe(headerOf(answer, 'x-request-id'))
    expect(headerOf(answer, 'connection')).toBe('close')
    expect(headerOf(answer, 'cache-control')).toBe('no-store')
  })
})
