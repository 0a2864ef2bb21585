import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'

export const reportViolations = defineOperation({
  method: 'POST',
  path: '/api/csp-reports',
  summary: 'Violations of the content security policy, as browsers report them',
  feature: 'reports',
  access: 'browser',
  body: Type.Unknown({
    description:
      'One report as application/csp-report, a list as application/reports+json. The answer is always 204.',
  }),
  response: Type.Null(),
  status: 204,
  consumes: ['application/csp-report', 'application/reports+json'],
})

export const reportsOperations = { reportViolations } as const
