import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { isCallProblem, problemText } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Overlay } from '#client/ui/overlay.tsx'
import { Problem } from '#client/ui/problem.tsx'
import styles from './account.module.css'
import { deleteAccount } from './account.queries.ts'
import { PaidOrders } from './paid-orders.tsx'

interface DeleteAccountProps {
  /** Runs the deletion after its user has confirmed it with a code. */
  readonly confirming: (purpose: 'deletion', run: () => Promise<unknown>) => Promise<void>
  /** The account is deleted; the dialog still shows the confirmation. */
  readonly onDeleted: () => void
  /** The user leaves the confirmation. */
  readonly onLeave: () => void
}

export function DeleteAccount({ confirming, onDeleted, onLeave }: DeleteAccountProps) {
  const { t } = useTranslation('account')
  const [isOpen, setIsOpen] = useState(false)
  const remove = useSingleMutation({ mutationFn: deleteAccount, onSuccess: onDeleted })

  function close(): void {
    if (remove.isSuccess) onLeave()
    else setIsOpen(false)
  }

  return (
    <>
      <Button
        look="quiet"
        className={styles.danger}
        onClick={() => {
          remove.reset()
          setIsOpen(true)
        }}
      >
        {t('remove.open')}
      </Button>
      {isOpen ? (
        <Overlay
          // A new key makes a new dialog, which takes the focus: the focused button of the first one is gone.
          key={remove.isSuccess ? 'done' : 'question'}
          kind="dialog"
          title={remove.isSuccess ? t('remove.done') : t('remove.dialog')}
          onClose={close}
          isLocked={remove.isPending}
        >
          {remove.isSuccess ? (
            <Deleted onLeave={onLeave} />
          ) : (
            <Question remove={remove} confirming={confirming} onKeep={close} />
          )}
        </Overlay>
      ) : null}
    </>
  )
}

interface QuestionProps extends Pick<DeleteAccountProps, 'confirming'> {
  readonly remove: UseMutationResult<unknown, Error, boolean>
  readonly onKeep: () => void
}

/** Explains the deletion, or why it was refused, with the buttons to delete and to keep the account. */
function Question({ remove, confirming, onKeep }: QuestionProps) {
  const { t } = useTranslation('account')
  const paid = isCallProblem(remove.error) ? remove.error.orders : []
  const forfeits = paid.length > 0 && paid.every(({ cancellable }) => !cancellable)
  return (
    <div className={classes(layout.stack, layout.gap3, styles.dialog)}>
      <WhatGoes />
      <Problem error={remove.error && `${t('remove.failed')} ${problemText(remove.error)}`} />
      <PaidOrders orders={paid} />
      <div className={classes(layout.cluster, layout.gap3, styles.dialogWays)}>
        <Button
          className={styles.dangerFull}
          isBusy={remove.isPending}
          onClick={() => void confirming('deletion', () => remove.mutateAsync(forfeits))}
        >
          {remove.isPending ? t('remove.confirming') : t(forfeits ? 'remove.forfeit' : 'remove.confirm')}
        </Button>
        {/* `data-start` takes the focus. Otherwise the browser would focus the first button, which deletes. */}
        <Button isBusy={remove.isPending} onClick={onKeep} data-start>
          {t('remove.keep')}
        </Button>
      </div>
    </div>
  )
}

function WhatGoes() {
  const { t } = useTranslation('account')
  return (
    <>
      <p>
        <b>{t('remove.goes')}</b>
      </p>
      <ul>
        <li>{t('remove.goesPerson')}</li>
        <li>{t('remove.goesLabels')}</li>
        <li>{t('remove.goesSessions')}</li>
      </ul>
      <p>
        <b>{t('remove.stays')}</b>
      </p>
      <ul>
        <li>{t('remove.staysOrders')}</li>
      </ul>
      <p>{t('remove.staysPartners')}</p>
    </>
  )
}

function Deleted({ onLeave }: { readonly onLeave: () => void }) {
  const { t } = useTranslation('account')
  return (
    <div className={classes(layout.stack, layout.gap3, styles.dialog)}>
      <p role="status">{t('remove.doneText')}</p>
      <div className={classes(layout.cluster, layout.gap3, styles.dialogWays)}>
        <Button look="primary" onClick={onLeave} data-start>
          {t('remove.home')}
        </Button>
      </div>
    </div>
  )
}
