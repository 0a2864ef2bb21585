import { type ComponentProps, useId } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import type { TextField } from '#client/ui/form.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { codeLength } from '#shared/platform/code-length.ts'
import { cleanTypedCode, isCodeComplete } from './code.rules.ts'
import styles from './code-field.module.css'

interface CodeFieldProps<N extends string> {
  readonly form: ComponentProps<typeof TextField<N>>['form']
  readonly name: N
  readonly hint: string
  /** Shown instead of the error of the form. */
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
  /** True for a code by e-mail: the phone cannot autofill it from a text message. */
  readonly isByEmail?: boolean
  /** The label is visible when the page asks for more than one code; otherwise the title names the code. */
  readonly label?: string
  /** Called when the last digit was typed. `before`: the text before that change. */
  readonly onComplete?: (code: string, before: string) => void
}

/**
 * One text field, drawn as a cell for each digit: a single field takes autofill, paste and screen readers. Its own text
 * and caret are transparent.
 */
export function CodeField<N extends string>({
  form,
  name,
  hint,
  error = form.faults[name],
  isReadOnly,
  label,
  isByEmail,
  onComplete,
}: CodeFieldProps<N>) {
  const { t } = useTranslation('sessions')
  const id = useId()
  const messageId = useId()
  const value = form.values[name]

  function change(text: string): void {
    const next = cleanTypedCode(text)
    form.change({ [name]: next } as Record<N, string>)
    if (isCodeComplete(next) && next !== value) onComplete?.(next, value)
  }

  return (
    <div className={`${layout.stack} ${layout.gap1}`}>
      <label className={label === undefined ? 'visually-hidden' : fieldStyles.label} htmlFor={id}>
        {label ?? t('code.label')}
      </label>
      <div className={styles.box}>
        <input
          id={id}
          data-retyped
          className={styles.input}
          data-unringed
          type="text"
          dir="ltr"
          autoComplete={isByEmail ? 'off' : 'one-time-code'}
          inputMode="numeric"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={messageId}
          value={value}
          // No maxLength: it would cut a pasted "12 34" or a whole message before cleanTypedCode.
          onChange={(event) => change(event.target.value)}
          readOnly={isReadOnly}
        />
        <div className={classes(layout.grid, layout.gap3, styles.cells)} aria-hidden="true" translate="no">
          {Array.from({ length: codeLength }, (_, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells are places, never reordered
              key={index}
              className={classes(layout.grid, styles.cell, index === value.length && styles.isNext)}
            >
              {value[index]}
            </span>
          ))}
        </div>
      </div>
      <p id={messageId} className={error === undefined ? fieldStyles.hint : fieldStyles.error}>
        {error === undefined ? null : <Icon name="alert" />}
        <span>{error ?? hint}</span>
      </p>
    </div>
  )
}
