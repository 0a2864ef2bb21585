import type { ReactNode } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Icon } from '#client/ui/icon.tsx'
import knotStyles from '#client/ui/knot.module.css'
import layout from '#client/ui/layout.module.css'
import styles from './booking.module.css'
import type { AnswersProps, Choice } from './choice-picker.tsx'

interface ChoiceFieldProps {
  /** Id of the button that opens the list. */
  readonly id: string
  /** The question. */
  readonly label: string
  /** The text of the button while nothing is chosen. */
  readonly placeholder: string
  /** The text below the button while nothing is chosen. */
  readonly hint?: string | undefined
  readonly choices: readonly Choice[]
  readonly value: string | null
  readonly onChange: (value: string) => void
  /** The list of answers is open. */
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onClose: () => void
  readonly isLoading: boolean
  /** This is the first question without an answer. */
  readonly isCurrent: boolean
  readonly isDisabled?: boolean
  /** The reason why a choice cannot be booked; `undefined` when it can. */
  readonly stoppedBy: (value: string) => string | undefined
  readonly error?: string | undefined
  /** The list of answers, drawn while it is open. */
  readonly answers: (props: AnswersProps) => ReactNode
  /** Notes below the chosen item, each on a line of its own. */
  readonly notes?: readonly string[] | undefined
  /** Details of the chosen item, if it has more than a name. */
  readonly children?: ReactNode
}

/** A question on the thread: a button that opens the list of answers, or the answer folded to a line. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { id, label, choices, value, isLoading, isCurrent } = props
  const chosen = choices.find((choice) => choice.value === value)
  const stopped = chosen && props.stoppedBy(chosen.value)
  const isDone = chosen !== undefined && stopped === undefined
  return (
    <li className={styles.question} data-progress={isDone ? 'done' : isCurrent ? 'current' : undefined}>
      <i className={knotStyles.knot} aria-hidden="true" />
      <h2 id={`${id}-label`} className={styles.questionTitle}>
        {label}
      </h2>
      {isLoading ? (
        <div aria-hidden="true">
          <div className={styles.questionSkeleton} />
          <p className={`${fieldStyles.hint} ${styles.questionMessage}`}>{'\u00a0'}</p>
        </div>
      ) : chosen ? (
        <Answer {...props} chosen={chosen} stopped={stopped} />
      ) : (
        <PickButton {...props} />
      )}
      {props.isOpen && !isLoading && props.isDisabled !== true ? (
        <div>
          {props.answers({
            title: label,
            value,
            stoppedBy: props.stoppedBy,
            returnTo: () => document.getElementById(id),
            onChoose: props.onChange,
            onClose: props.onClose,
          })}
        </div>
      ) : null}
    </li>
  )
}

interface AnswerProps extends ChoiceFieldProps {
  readonly chosen: Choice
  /** The reason why the chosen item can no longer be booked. */
  readonly stopped: string | undefined
}

function Answer({ id, chosen, stopped, notes, children, onOpen }: AnswerProps) {
  const { t } = useTranslation('booking')
  return (
    <div className={`${layout.line} ${layout.gap3} ${styles.answer}`}>
      <CityBlock city={chosen.city} />
      <div className={styles.answerText}>
        {children ?? (
          <p className={styles.answerName}>
            <bdi>{chosen.label}</bdi>
          </p>
        )}
        {notes?.map((note) => (
          <p key={note} className={`${fieldStyles.hint} ${styles.questionMessage}`}>
            {note}
          </p>
        ))}
        {stopped === undefined ? null : (
          <p className={`${fieldStyles.error} ${styles.questionMessage}`} id={`${id}-message`}>
            <Icon name="alert" />
            <span>{stopped}</span>
          </p>
        )}
      </div>
      <Button
        id={id}
        look="quiet"
        className={styles.answerChange}
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={stopped === undefined ? undefined : `${id}-message`}
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        {t('change')}
      </Button>
    </div>
  )
}

function PickButton({ id, placeholder, hint, error, isDisabled = false, onOpen }: ChoiceFieldProps) {
  const message = error ?? hint
  return (
    <>
      <button
        id={id}
        type="button"
        className={classes(
          layout.line,
          layout.gap3,
          fieldStyles.input,
          styles.questionPick,
          error !== undefined && styles.isMissing,
        )}
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={message === undefined ? undefined : `${id}-message`}
        aria-haspopup="dialog"
        disabled={isDisabled}
        onClick={onOpen}
      >
        <span>{placeholder}</span>
        <Icon name="next" />
      </button>
      {message === undefined ? null : (
        <p
          className={classes(
            error === undefined ? fieldStyles.hint : fieldStyles.error,
            styles.questionMessage,
          )}
          id={`${id}-message`}
        >
          {error === undefined ? null : <Icon name="alert" />}
          <span>{message}</span>
        </p>
      )}
    </>
  )
}
