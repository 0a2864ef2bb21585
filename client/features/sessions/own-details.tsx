import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { renamed, useSession } from '#client/session/session.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Button } from '#client/ui/button.tsx'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Fact } from '#client/ui/fact.tsx'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { useEditing } from '#client/ui/use-editing.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { readPersonName } from '#shared/sessions/person-name.ts'
import { updateUser } from '#shared/sessions/sessions.operations.ts'
import styles from './own-details.module.css'
import { refusalOf } from './refusal.ts'
import { type Fault, nameLengthFault, useFaultText } from './sign-in-errors.ts'

interface OwnDetailsProps {
  /** True while the name is being edited and not saved. */
  readonly onEditing?: (isEditing: boolean) => void
  /** What the name stands for on this page, where it is more than the person's name. */
  readonly nameLabel?: string
}

/** Name and phone of the signed-in person. Users edit the name in place; agents' details are managed by the partner. */
export function OwnDetails({ onEditing, nameLabel }: OwnDetailsProps) {
  const { t } = useTranslation('sessions')
  const language = useLanguage()
  const { user, agent } = useSession()
  const { isEditing, news, opener, edit } = useEditing(onEditing)
  const person = user ?? agent
  // The partner writes agents' names in both languages. A pilgrim's name is shown as it was entered.
  const name = user?.name ?? (agent?.name ? inLanguage(agent.name, language) : null)

  if (person === null) return null
  return (
    <div className={styles.details}>
      {isEditing ? (
        <NameForm
          name={person.name ?? ''}
          onSaved={() => edit(false, t('own.saved'))}
          onCancel={() => edit(false)}
        />
      ) : (
        <div className={styles.name}>
          <dl className={styles.pair}>
            <Fact name={nameLabel ?? t('own.name')}>{name ? <bdi>{name}</bdi> : t('own.none')}</Fact>
          </dl>
          {user === null ? null : (
            <Button ref={opener} look="quiet" className={styles.correct} onClick={() => edit(true)}>
              {t('own.correct')}
            </Button>
          )}
        </div>
      )}
      <dl className={styles.pair}>
        <Fact name={t('phone')}>{person.phone ? <PhoneText>{person.phone}</PhoneText> : t('own.none')}</Fact>
      </dl>
      <Announced>{news}</Announced>
    </div>
  )
}

interface NameFormProps {
  readonly name: string
  readonly onSaved: () => void
  readonly onCancel: () => void
}

function NameForm({ name, onSaved, onCancel }: NameFormProps) {
  const { t } = useTranslation('sessions')
  const faultText = useFaultText()
  const client = useQueryClient()
  const [typed, setTyped] = useState(name)
  const [fault, setFault] = useState<Fault>()
  const input = useRef<HTMLInputElement>(null)
  const change = useMutation({
    mutationFn: (name: string) => call(updateUser, { body: { name } }),
    onSuccess: ({ user }) => {
      renamed(client, user)
      onSaved()
    },
    onError: (error) => {
      const { field, message } = refusalOf(error, t('errors.saveFailed'))
      if (field === 'name') refuse({ said: message })
    },
  })
  const isSaving = change.isPending
  const problem =
    change.isError && fault === undefined ? refusalOf(change.error, t('errors.saveFailed')) : undefined

  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  function refuse(next: Fault): void {
    setFault(next)
    input.current?.focus()
  }

  function save(event: FormEvent): void {
    event.preventDefault()
    if (isSaving) return
    const read = readPersonName(typed)
    if ('fault' in read) refuse({ key: read.fault })
    else if (read.name === name) onCancel()
    else {
      setFault(undefined)
      change.mutate(read.name)
    }
  }

  return (
    <form
      className={styles.form}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isSaving) onCancel()
      }}
      noValidate
    >
      <Field label={t('own.name')} hint={t('own.hint')} error={faultText(fault)}>
        {(control) => (
          <input
            {...control}
            className={fieldStyles.input}
            ref={input}
            autoComplete="name"
            dir="auto"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setFault(nameLengthFault(event.target.value))
              change.reset()
            }}
          />
        )}
      </Field>
      <Problem error={problem?.message} className={styles.problem} />
      <div className={styles.actions}>
        <Button type="submit" isBusy={isSaving}>
          {isSaving ? t('own.saving') : t('own.save')}
        </Button>
        <Button look="quiet" onClick={() => onCancel()} isBusy={isSaving}>
          {t('own.cancel')}
        </Button>
      </div>
    </form>
  )
}
