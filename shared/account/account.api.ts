import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './account.operations.ts'
import { AccountExport } from './account.schemas.ts'

const feature = 'account'

export const exportUser = defineOperation({
  ...endpoints.exportUser,
  summary: 'Export all data of the signed-in user, as a file, after a confirmation `export`',
  feature,
  response: AccountExport,
  contentType: 'application/json',
  errors: ['CONFIRMATION_REQUIRED', 'TOO_MANY_CALLS'],
})

export const deleteUser = defineOperation({
  ...endpoints.deleteUser,
  summary:
    'Delete the signed-in user, after a confirmation `deletion`: name, phone, labels and sessions are erased, orders and amounts stay',
  feature,
  query: Type.Object(
    {
      forfeit: Type.Optional(
        Type.Literal('1', {
          description:
            'Gives up paid orders that were not handed over, where none of them can be cancelled: no agent accepts their bags then.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: NoBody,
  response: successOf({}),
  errors: [
    'CONFIRMATION_REQUIRED',
    'ACCOUNT_HAS_OPEN_ORDERS',
    'ACCOUNT_HAS_OPEN_CLAIMS',
    'ACCOUNT_HAS_PAID_ORDERS',
    'TOO_MANY_CALLS',
  ],
})

export const accountOperations = { exportUser, deleteUser } as const
