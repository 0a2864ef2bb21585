import { defineErrors } from '#shared/platform/problem.ts'

export const auditErrors = defineErrors({
  WORKER_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لا توجد مهمة بهذا الاسم.', en: 'There is no background work of this name.' },
  },
})
