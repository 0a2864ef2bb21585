// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { CallProblem } from '#client/platform/call.ts'
import { stubGateway } from '#test/kit/client/render-page.tsx'
import { reportError, reportErrors } from './error-reports.ts'

function failed(message: string, file = `${window.location.origin}/assets/index.js`): Error {
  const error = new TypeError(message)
  error.stack = `${message}\n    at ${file}:1:23`
  return error
}

it('errors of the window and rejections are reported once each, those of foreign scripts and of calls never', () => {
  const calls = stubGateway({ 'POST /api/reports': { status: 204, body: undefined } })
  const messages = () => calls.map(({ body }) => (body as { message: string }).message)
  reportErrors()
  const raise = (error: unknown) => window.dispatchEvent(new ErrorEvent('error', { error }))
  window.history.pushState(null, '', '/orders/42?secret=hush')
  raise(failed('first'))
  raise(failed('first'))
  raise(failed('of an extension', 'moz-extension://5/a.js'))
  raise(null)
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: failed('second') }))
  expect(messages()).toEqual(['first', 'second'])
  expect(JSON.stringify(calls)).not.toMatch(/hush|42/)
  expect(calls[0]?.body).toMatchObject({
    type: 'error',
    path: '/orders/:id',
    stack: expect.stringMatching(/index\.js:1:23/),
  })
  reportError(new CallProblem({ code: 'DOWN', message: 'Later', status: 503 }))
  for (let count = 0; count < 20; count += 1) reportError(failed('again'.repeat(count)))
  expect(messages()).toHaveLength(5)
})
