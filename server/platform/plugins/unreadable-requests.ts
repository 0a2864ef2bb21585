import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { defaultLanguage } from '#shared/platform/language.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { Problem } from '#shared/platform/problem.ts'

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/**
 * A `clientErrorHandler` for requests that Node cannot parse. It closes the connection, because the start of the next
 * request is unknown.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = statuses[error.code ?? ''] ?? 400
  const requestId = crypto.randomUUID()
  const problem: Problem = {
    success: false,
    code: 'INVALID_REQUEST',
    message: platformErrors.INVALID_REQUEST.text[defaultLanguage],
    requestId,
  }
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ].join('\r\n')
  if (socket.writable) socket.write(`${head}\r\n\r\n${body}`)
  socket.destroy(error)
}
