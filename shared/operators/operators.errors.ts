import { defineErrors } from '#shared/platform/problem.ts'

export const operatorsErrors = defineErrors({
  ACTION_NOT_POSSIBLE: {
    status: 409,
    level: 'info',
    text: { ar: 'غير ممكن: {{why}}', en: 'Not possible: {{why}}' },
  },
})
