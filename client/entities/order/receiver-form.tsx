import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Button } from '#client/ui/button.tsx'
import { focusPlace, takeFocus } from '#client/ui/focus.ts'
import { Form, TextField, useForm, useFormInPlace } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { Problem } from '#client/ui/problem.tsx'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { isNameTooLong, isShortForLabel, personNameMaxLength } from '#shared/sessions/person-name.ts'
import { NameQuestion } from './name-question.tsx'
import styles from './receiver.module.css'
import { isSameReceiver, readTyped, type TypedReceiver, typedOf } from './receiver.rules.ts'
import { ReceiverFacts } from './receiver-facts.tsx'

interface ReceiverPartProps {
  /** The name of the draft. */
  readonly draft: string
  readonly named: NamedReceiver
  /** The content shown in place of a receiver while the owner collects the bag. */
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

/** Shows the person who collects the bag: the owner, in one line, until the form names another person. */
export function ReceiverPart({
  own,
  onEditing,
  isOpen: wasOpen,
  isHeld = false,
  ...saving
}: ReceiverPartProps) {
  const { t } = useTranslation('receiver')
  const { isOpen, isPressed, news, open, close } = useFormInPlace(saving.draft, onEditing, wasOpen)
  const { named } = saving
  const isNamed = !isSameReceiver(named, {})
  return (
    <div ref={focusPlace} className={`${layout.grid} ${layout.gap2}`}>
      {isOpen ? (
        <ReceiverForm
          {...saving}
          isPressed={isPressed}
          onSaved={() => close(t('saved'))}
          onCancel={() => close()}
        />
      ) : (
        <>
          {named.receiver === undefined ? own : null}
          <ReceiverFacts named={named} />
          {isHeld ? null : (
            <Button data-start look="quiet" className={styles.open} onClick={open}>
              {t(isNamed ? 'change' : 'other')}
            </Button>
          )}
        </>
      )}
      <Announced>{news}</Announced>
    </div>
  )
}

interface ReceiverFormProps extends Pick<ReceiverPartProps, 'draft' | 'named' | 'onSave' | 'isCutOff'> {
  readonly isPressed: boolean
  readonly onSaved: () => void
  readonly onCancel: () => void
}

/** The names of the server for the fields. */
const fieldNames = {
  name: 'receiver.name',
  phone: 'receiver.phone',
  secondPhone: 'secondPhone',
} as const satisfies Record<keyof TypedReceiver, string>
const fields = Object.keys(fieldNames) as (keyof TypedReceiver)[]

function ReceiverForm({
  isPressed,
  draft,
  named,
  onSave,
  onSaved,
  onCancel,
  isCutOff = false,
}: ReceiverFormProps) {
  const { t } = useTranslation('receiver')
  /** Set by a press: a new name is too short for a label until it is confirmed as whole. */
  const [asked, setAsked] = useState<{ readonly name: string }>()
  const question = useRef<HTMLDivElement>(null)
  const form = useForm<TypedReceiver, boolean>({
    values: typedOf(named),
    draft,
    limits: ({ name }) => ({
      name: isNameTooLong(name) ? t('faults.NAME_TOO_LONG', { limit: personNameMaxLength }) : undefined,
    }),
    check(typed) {
      const { name, phone, secondPhone } = readTyped(typed).faults
      return {
        name: name && t(`faults.${name}`, { limit: personNameMaxLength }),
        phone: phone && t(`faults.${phone}`),
        secondPhone: secondPhone && t(`faults.${secondPhone}`),
      }
    },
    serverNames: fieldNames,
    async send(typed) {
      const next = readTyped(typed).named
      if (isSameReceiver(next, named)) return false
      await onSave(next)
      return true
    },
    onSent: (isChanged) => (isChanged ? onSaved() : onCancel()),
  })
  const { values, isSending } = form
  useLayoutEffect(() => {
    if (asked !== undefined) takeFocus(question.current)
  }, [asked])

  function save(change?: Partial<TypedReceiver>): void {
    const { named: next, faults } = readTyped({ ...values, ...change })
    const name = next.receiver?.name
    // The form asked about a stored name when it was typed.
    const isUnconfirmed = name !== undefined && name !== named.receiver?.name && isShortForLabel(name)
    if (isCutOff) return
    if (isUnconfirmed && Object.keys(faults).length === 0) setAsked({ name })
    else form.send(change)
  }

  function cancel(): void {
    form.reset()
    onCancel()
  }

  return (
    <Form
      form={form}
      className={`${layout.grid} ${layout.gap3}`}
      isOpened={isPressed}
      onSend={save}
      onCancel={cancel}
    >
      {fields.map((field) => (
        <TextField
          key={field}
          form={form}
          name={field}
          label={t(`form.${field}`)}
          hint={t(`form.${field}Hint`)}
          className={field === 'name' ? undefined : styles.number}
          // The field is about another person: the browser must not fill in the data of the owner.
          autoComplete="off"
          {...(field === 'name' ? { dir: 'auto' } : { type: 'tel', inputMode: 'tel', maxLength: 32 })}
        />
      ))}
      {asked !== undefined && asked.name === readTyped(values).named.receiver?.name ? (
        <NameQuestion ref={question} name={asked.name} onWhole={() => form.send()} />
      ) : null}
      {isCutOff ? (
        <Note tone="pending" icon="offline" role="alert">
          {t('unreachable', { ns: 'platform' })}
        </Note>
      ) : (
        <Problem error={form.problem} />
      )}
      <div className={`${layout.cluster} ${layout.gap3}`}>
        <Button type="submit" isBusy={isSending || isCutOff}>
          {isSending ? t('form.saving') : t('form.save')}
        </Button>
        {named.receiver === undefined ? null : (
          <Button isBusy={isSending || isCutOff} onClick={() => save({ name: '', phone: '' })}>
            {t('form.myself')}
          </Button>
        )}
        <Button look="quiet" isBusy={isSending} onClick={cancel}>
          {t('form.cancel')}
        </Button>
      </div>
    </Form>
  )
}
