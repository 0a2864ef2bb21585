import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { AccountExport } from './account.schemas.ts'

const room = 'account'

export const exportUser = defineOperation({
  method: 'GET',
  path: '/api/auth/user/export',
  summary: 'Everything kept of the signed-in user, as a file',
  room,
  caller: 'user',
  response: AccountExport,
  contentType: 'application/json',
})

export const deleteUser = defineOperation({
  method: 'DELETE',
  path: '/api/auth/user',
  summary: 'Delete the signed-in user: name, phone, labels and sessions go, orders and amounts stay',
  room,
  caller: 'user',
  body: NoBody,
  response: successOf({}),
})

export const accountOperations = { exportUser, deleteUser } as const
