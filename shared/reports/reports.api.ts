import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import * as endpoints from './reports.operations.ts'

export const sendReport = defineOperation({
  ...endpoints.sendReport,
  summary: 'Violations of the content security policy, as browsers report them, and errors of the app',
  feature: 'reports',
  body: Type.Unknown({
    description:
      'One violation as application/csp-report, a list as application/reports+json, or an error of the app as application/json: `{ type: "error", message, stack, path, release }`. The answer is always 204.',
  }),
  response: Type.Null(),
  status: 204,
  consumes: ['application/csp-report', 'application/reports+json'],
})

export const reportsOperations = { sendReport } as const
