import { useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { renamed, useSession } from '#client/session/session.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Fact } from '#client/ui/fact.tsx'
import { focusPlace } from '#client/ui/focus.ts'
import { Form, TextField, useForm, useFormInPlace } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Problem } from '#client/ui/problem.tsx'
import rowStyles from '#client/ui/row.module.css'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { readPersonName } from '#shared/sessions/person-name.ts'
import { updateUser } from '#shared/sessions/sessions.operations.ts'
import styles from './own-details.module.css'
import { refusalOf } from './refusal.ts'
import { nameFault, nameLengthFault, useFaultText } from './sign-in-errors.ts'

interface OwnDetailsProps {
  /** True while the name is being edited and not saved. */
  readonly onEditing?: (isEditing: boolean) => void
  /**
   * The label of the name, on a page that shows the name alone. Left out: name and phone are rows of a list.
   */
  readonly nameLabel?: string
}

const draft = 'own-name'

/**
 * Name and phone of the signed-in person, or the name alone. Users edit the name in place; agents' details are managed by the
 * partner.
 */
export function OwnDetails({ onEditing, nameLabel }: OwnDetailsProps) {
  const { t } = useTranslation('sessions')
  const language = useLanguage()
  const { user, agent } = useSession()
  const { isOpen, isPressed, news, open, close } = useFormInPlace(draft, onEditing)
  const person = user ?? agent
  // The partner writes agents' names in both languages. A pilgrim's name is shown as it was entered.
  const name = user?.name ?? (agent?.name ? inLanguage(agent.name, language) : null)

  if (person === null) return null
  const isRow = nameLabel === undefined
  const line = classes(layout.split, layout.gap4, isRow ? rowStyles.row : styles.alone)
  return (
    <div ref={focusPlace} className={styles.details}>
      <div className={line}>
        {isOpen ? (
          <NameForm
            isPressed={isPressed}
            name={person.name ?? ''}
            onSaved={() => close(t('own.saved'))}
            onCancel={() => close()}
          />
        ) : (
          <>
            <dl className={classes(rowStyles.pair, styles.name)}>
              <Fact name={nameLabel ?? t('own.name')}>{name ? <bdi>{name}</bdi> : t('own.none')}</Fact>
            </dl>
            {user === null ? null : (
              <Button
                data-start
                look="quiet"
                className={styles.correct}
                aria-label={t('own.correct')}
                onClick={open}
              >
                {t('own.correctShort')}
              </Button>
            )}
          </>
        )}
      </div>
      {isRow ? (
        <div className={line}>
          <dl className={rowStyles.pair}>
            <Fact name={t('phone')}>
              {person.phone ? <PhoneText>{person.phone}</PhoneText> : <span>{t('own.none')}</span>}
            </Fact>
          </dl>
        </div>
      ) : null}
      <Announced>{news}</Announced>
    </div>
  )
}

interface NameFormProps {
  readonly isPressed: boolean
  readonly name: string
  readonly onSaved: () => void
  readonly onCancel: () => void
}

function NameForm({ isPressed, name, onSaved, onCancel }: NameFormProps) {
  const { t } = useTranslation('sessions')
  const client = useQueryClient()
  const faultText = useFaultText()
  const form = useForm({
    values: { name },
    draft,
    limits: (typed) => ({ name: faultText(nameLengthFault(typed.name)) }),
    check: (typed) => ({ name: faultText(nameFault(typed.name)) }),
    async send(typed) {
      const read = readPersonName(typed.name)
      if (!('name' in read) || read.name === name) return false
      const { user } = await call(updateUser, { body: { name: read.name } })
      renamed(client, user)
      return true
    },
    onSent: (isChanged) => (isChanged ? onSaved() : onCancel()),
  })
  const { isSending, problem } = form

  function cancel(): void {
    form.reset()
    onCancel()
  }

  return (
    <Form
      form={form}
      className={classes(layout.stack, layout.gap2, styles.form)}
      isOpened={isPressed}
      onCancel={cancel}
    >
      <TextField
        form={form}
        name="name"
        label={t('own.name')}
        hint={t('own.hint')}
        autoComplete="name"
        dir="auto"
      />
      <Problem error={problem && refusalOf(problem, t('errors.saveFailed')).message} />
      <div className={classes(layout.cluster, layout.gap3)}>
        <Button type="submit" isBusy={isSending}>
          {isSending ? t('own.saving') : t('own.save')}
        </Button>
        <Button look="quiet" onClick={cancel} isBusy={isSending}>
          {t('own.cancel')}
        </Button>
      </div>
    </Form>
  )
}
