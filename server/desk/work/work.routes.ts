import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/desk/work/work.api.ts'
import { endRow, handRow, releaseOwnRow, takeRow } from './work.ts'
import { listWork, readOverview, readWorkRow } from './work-lists.ts'

const rowOf = <K extends string>({ kind, id }: { readonly kind: K; readonly id: string }) => ({
  kind,
  reference: id,
})
export function workRoutes(core: Core, { add, addStream }: Routes): void {
  add(operations.readWork, ({ principal, query, language }) =>
    readOverview(
      core,
      { person: principal, language },
      {
        ...(query.order !== undefined && { order: Number(query.order) }),
      },
    ),
  )

  add(operations.listWork, async ({ params, query, principal, language }) => ({
    rows: await listWork(core, params.kind, { person: principal, language }, query),
  }))

  add(operations.takeWork, async ({ params, body, principal, language }) => {
    await takeRow(core, principal, rowOf(params), body ?? {})
    return { row: await readWorkRow(core, rowOf(params), { person: principal, language }) }
  })

  add(operations.releaseWork, async ({ params, principal }) => {
    await releaseOwnRow(core, principal, rowOf(params))
    return {}
  })

  add(operations.handWork, async ({ params, body, principal, form, language }) => {
    await handRow(core, principal, rowOf(params), form, body)
    return { row: await readWorkRow(core, rowOf(params), { person: principal, language }) }
  })

  add(operations.endWork, async ({ params, body, principal, form }) => {
    await endRow(core, principal, rowOf(params), form, body.reason)
    return {}
  })

  addStream(operations.readDeskEvents, async ({ query }) => ({
    topic: 'desk',
    about: Number(query.order ?? 0),
  }))
}
