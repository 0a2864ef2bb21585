import { lazy, type ReactNode, Suspense, useState } from 'react'
import { isCallProblem, problemText } from '#client/platform/call.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { ActProblem } from '../act-dialog.tsx'
import { useRelease, useTake } from './work.queries.ts'
import { pressOf } from './work.rules.ts'

/** Loads the dialogs when the first one is opened, because antd's dialog is large. */
const dialogs = () => import('./row-dialogs.tsx')
const Taken = lazy(async () => ({ default: (await dialogs()).Taken }))
const Hand = lazy(async () => ({ default: (await dialogs()).Hand }))
const End = lazy(async () => ({ default: (await dialogs()).End }))

interface Asked {
  what: 'over' | 'hand' | 'end'
  row: WorkRow
}

export interface RowActs {
  /** Takes a free or stale row at once. When a colleague has the row, it asks for confirmation. */
  take(row: WorkRow): void
  release(row: WorkRow): void
  hand(row: WorkRow): void
  /** Ends a row that needs no act: it leaves its list. */
  end(row: WorkRow): void
  isPending: boolean
  /** The open dialog and the last refusal. */
  parts: ReactNode
}

/** The acts on rows of work lists. @param rows the current rows @param by the operator */
export function useRowActs(rows: readonly WorkRow[], by: string): RowActs {
  const [asked, setAsked] = useState<Asked>()
  const take = useTake()
  const release = useRelease()
  const close = () => setAsked(undefined)
  const takeRow = (row: WorkRow, over: boolean) => {
    release.reset()
    take.mutate(
      { row, value: { over } },
      {
        onSuccess: close,
        // A colleague was quicker: the dialog names that colleague.
        onError: (error) => isTaken(error) && setAsked({ what: 'over', row }),
      },
    )
  }
  const newest = ({ kind, id }: WorkRow) => rows.find((row) => row.kind === kind && row.id === id)
  const error = [take.error, release.error].find((each) => each !== null && !isTaken(each))
  return {
    take: (row) => {
      if (pressOf(row) !== 'ask') return takeRow(row, false)
      // An earlier refusal does not concern this row.
      take.reset()
      setAsked({ what: 'over', row })
    },
    release: (row) => {
      take.reset()
      release.mutate({ row, value: undefined })
    },
    hand: (row) => setAsked({ what: 'hand', row }),
    end: (row) => setAsked({ what: 'end', row }),
    isPending: take.isPending || release.isPending,
    parts: (
      <>
        <ActProblem error={error} />
        <Suspense fallback={null}>
          {asked?.what === 'over' ? (
            <Taken
              row={newest(asked.row) ?? asked.row}
              refusal={isTaken(take.error) ? problemText(take.error) : undefined}
              isPending={take.isPending}
              onTake={() => takeRow(newest(asked.row) ?? asked.row, true)}
              onClose={close}
            />
          ) : null}
          {asked?.what === 'hand' ? <Hand row={asked.row} by={by} onClose={close} /> : null}
          {asked?.what === 'end' ? <End row={asked.row} by={by} onClose={close} /> : null}
        </Suspense>
      </>
    ),
  }
}

const isTaken = (error: unknown) => isCallProblem(error) && error.code === 'WORK_TAKEN'
