import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import { Note } from '#client/ui/note.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { useEditing } from '#client/ui/use-editing.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { isNameTooLong, isShortForLabel, personNameMaxLength } from '#shared/sessions/person-name.ts'
import { NameQuestion } from './name-question.tsx'
import styles from './receiver.module.css'
import {
  isSameReceiver,
  type ReceiverFaults,
  readTyped,
  type TypedReceiver,
  typedOf,
} from './receiver.rules.ts'
import { ReceiverFacts } from './receiver-facts.tsx'

interface ReceiverPartProps {
  readonly named: NamedReceiver
  /** What stands in place of a receiver while the owner collects the bag. */
  readonly own?: ReactNode
  readonly onSave: (named: NamedReceiver) => unknown
  /** True while the form is open. */
  readonly onEditing?: (isEditing: boolean) => void
  /** The form was open where this part stood before. */
  readonly isOpen?: boolean
  /** Another form is open beside it. */
  readonly isHeld?: boolean
  /** The server cannot be reached: nothing can be saved. */
  readonly isCutOff?: boolean
}

/** Who collects the bag: the owner, in one line, until another person is named in a form. */
export function ReceiverPart({ own, onEditing, isOpen, isHeld = false, ...saving }: ReceiverPartProps) {
  const { t } = useTranslation('receiver')
  const { isEditing, news, opener, edit } = useEditing(onEditing, isOpen)
  const { named } = saving
  const isNamed = !isSameReceiver(named, {})
  return (
    <div className={styles.part}>
      {isEditing ? (
        <ReceiverForm {...saving} onSaved={() => edit(false, t('saved'))} onCancel={() => edit(false)} />
      ) : (
        <>
          {named.receiver === undefined ? own : null}
          <ReceiverFacts named={named} />
          {isHeld ? null : (
            <Button ref={opener} look="quiet" className={styles.open} onClick={() => edit(true)}>
              {t(isNamed ? 'change' : 'other')}
            </Button>
          )}
        </>
      )}
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </div>
  )
}

interface ReceiverFormProps extends Pick<ReceiverPartProps, 'named' | 'onSave' | 'isCutOff'> {
  readonly onSaved: () => void
  readonly onCancel: () => void
}

/** By the names of the server's fields. */
const fieldNames = {
  name: 'receiver.name',
  phone: 'receiver.phone',
  secondPhone: 'secondPhone',
} as const satisfies Record<keyof TypedReceiver, string>
const fields = Object.keys(fieldNames) as (keyof TypedReceiver)[]

/** What the server says of a field. */
const refusalOf = (error: unknown, field: keyof TypedReceiver) =>
  isCallProblem(error) ? error.fields.find((each) => each.field === fieldNames[field])?.message : undefined

function ReceiverForm({ named, onSave, onSaved, onCancel, isCutOff = false }: ReceiverFormProps) {
  const { t } = useTranslation('receiver')
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(() => typedOf(named))
  const [faults, setFaults] = useState<ReceiverFaults>({})
  /** Typed, and too short for a label, until it is confirmed as whole. */
  const [shortName, setShortName] = useState<string>()
  const nameQuestion = useRef<HTMLDivElement>(null)
  const saving = useMutation({
    mutationFn: async (next: NamedReceiver) => onSave(next),
    onSuccess: onSaved,
    onError: (error) => focusFirst((field) => refusalOf(error, field) !== undefined),
  })
  const errorOf = (field: keyof TypedReceiver) => {
    const fault = faults[field]
    if (fault !== undefined) return t(`faults.${fault}`, { limit: personNameMaxLength })
    return refusalOf(saving.error, field)
  }
  const isFieldRefused = fields.some((field) => refusalOf(saving.error, field) !== undefined)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  function focusFirst(isWrong: (field: keyof TypedReceiver) => boolean): void {
    const first = fields.find(isWrong)
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  function save(next: TypedReceiver, isWhole = false): void {
    if (saving.isPending || isCutOff) return
    const read = readTyped(next)
    setFaults(read.faults)
    if (Object.keys(read.faults).length > 0) focusFirst((field) => read.faults[field] !== undefined)
    else if (isSameReceiver(read.named, named)) onCancel()
    else if (isWhole || !isUnconfirmed(read.named)) saving.mutate(read.named)
    else {
      flushSync(() => setShortName(read.named.receiver?.name))
      nameQuestion.current?.focus()
    }
  }

  /** A name that was stored was asked about then. */
  const isUnconfirmed = ({ receiver }: NamedReceiver) =>
    receiver !== undefined && receiver.name !== named.receiver?.name && isShortForLabel(receiver.name)

  function type(field: keyof TypedReceiver, text: string): void {
    setTyped({ ...typed, [field]: text })
    const isTooLong = field === 'name' && isNameTooLong(text)
    setFaults({ ...faults, [field]: isTooLong ? 'NAME_TOO_LONG' : undefined })
    setShortName(undefined)
    saving.reset()
  }

  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save(typed)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !saving.isPending) onCancel()
      }}
      noValidate
    >
      {fields.map((field) => (
        <Field key={field} label={t(`form.${field}`)} hint={t(`form.${field}Hint`)} error={errorOf(field)}>
          {(control) => (
            <input
              {...control}
              name={field}
              className={`${fieldStyles.input} ${field === 'name' ? '' : styles.number}`}
              // Of another person: the browser must not fill in the owner's.
              autoComplete="off"
              {...(field === 'name' ? { dir: 'auto' } : { type: 'tel', inputMode: 'tel', maxLength: 32 })}
              value={typed[field]}
              onChange={(event) => type(field, event.target.value)}
            />
          )}
        </Field>
      ))}
      {shortName === undefined ? null : (
        <NameQuestion ref={nameQuestion} name={shortName} onWhole={() => save(typed, true)} />
      )}
      {isCutOff ? (
        <Note tone="pending" icon="offline" role="alert">
          {t('unreachable', { ns: 'platform' })}
        </Note>
      ) : (
        <Problem error={isFieldRefused ? undefined : saving.error} />
      )}
      <div className={styles.actions}>
        <Button type="submit" isBusy={saving.isPending || isCutOff}>
          {saving.isPending ? t('form.saving') : t('form.save')}
        </Button>
        {named.receiver === undefined ? null : (
          <Button
            isBusy={saving.isPending || isCutOff}
            onClick={() => save({ ...typed, name: '', phone: '' })}
          >
            {t('form.myself')}
          </Button>
        )}
        <Button look="quiet" isBusy={saving.isPending} onClick={onCancel}>
          {t('form.cancel')}
        </Button>
      </div>
    </form>
  )
}
