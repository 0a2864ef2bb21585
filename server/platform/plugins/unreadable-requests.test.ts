import { type AddressInfo, Socket } from 'node:net'
import Fastify from 'fastify'
import { Value } from 'typebox/value'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Problem } from '#shared/platform/problem.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { headerOf, openConnection } from '#test/kit/gateway/raw-http.ts'
import { answerUnreadable } from './unreadable-requests.ts'

async function exchange(bytes: string, headersTimeout = patienceMs) {
  const app = Fastify({
    clientErrorHandler: answerUnreadable,
    http: { headersTimeout, requestTimeout: headersTimeout, connectionsCheckingInterval: 50 },
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

describe('malformed input', () => {
  it.each([
    ['an unknown method', 'FOO / HTTP/1.1\r\n\r\n', 400],
    [
      'a length and chunks',
      'GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['half of a request', 'GET / HTTP/1.1\r\nhost: ', 408],
  ])('is answered with a problem and disconnected: %s', async (_, bytes, status) => {
    const answer = await exchange(bytes, status === 408 ? 100 : undefined)
    expect(answer.status).toBe(status)
    const problem: unknown = JSON.parse(answer.body.toString('utf8'))
    if (!Value.Check(Problem, problem)) throw new Error(answer.body.toString('utf8'))
    expect(problem.code).toBe('INVALID_REQUEST')
    expect(problem.requestId).toBe(headerOf(answer, 'x-request-id'))
    expect(headerOf(answer, 'connection')).toBe('close')
    expect(headerOf(answer, 'cache-control')).toBe('no-store')
    expect(headerOf(answer, 'content-type')).toBe('application/json; charset=utf-8')
    expect(headerOf(answer, 'content-length')).toBe(String(answer.body.length))
    expect(headerOf(answer, 'x-content-type-options')).toBe('nosniff')
  })
})

describe('a closed connection', () => {
  it.each([
    ['the client has reset it', 'ECONNRESET', false],
    ['the server has ended it', 'HPE_INVALID_METHOD', true],
  ])('gets no response: %s', (_, code, isDestroyed) => {
    const socket = new Socket()
    const write = vi.spyOn(socket, 'write')
    if (isDestroyed) socket.destroy()
    const destroy = vi.spyOn(socket, 'destroy')
    answerUnreadable(Object.assign(new Error(code), { code }), socket)
    expect(write).not.toHaveBeenCalled()
    expect(destroy).not.toHaveBeenCalled()
    socket.destroy()
  })
})
