import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'

export const reportViolations = defineOperation({
  method: 'POST',
  path: '/api/csp-reports',
  summary: 'What a browser has refused to a page because of its content policy',
  room: 'reports',
  caller: 'browser',
  body: Type.Unknown({
    description:
      'As browsers send it: application/csp-report (one) or application/reports+json (a list). Any answer is 204.',
  }),
  response: Type.Null(),
  status: 204,
})

export const reportsOperations = { reportViolations } as const
